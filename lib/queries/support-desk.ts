import { queryOptions } from '@tanstack/react-query';
import type { SupportDesk } from '../contract/support-desk/support-desk.ts';
import { readDesk } from './read.ts';

/**
 * Who is at the support desk now, which another tab may have changed. The query key has the person
 * for whom the page was rendered.
 */
export function supportDeskQuery({ person }: Pick<SupportDesk, 'person'>) {
  return queryOptions({
    queryKey: ['support-desk', person.id],
    queryFn: ({ signal }) => readDesk<SupportDesk>('desk', signal),
  });
}
