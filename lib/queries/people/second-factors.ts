import { queryOptions } from '@tanstack/react-query';
import type { Session } from '../../contract/people/sessions.ts';
import type { SecondFactors } from '../../contract/people/second-factors.ts';
import { read } from '../read.ts';

/** A person's own second factors, the same in each account, as the browser refetches them. */
export function secondFactorsQuery({ person, account }: Pick<Session, 'person' | 'account'>) {
  return queryOptions({
    queryKey: ['second-factors', person.id],
    queryFn: ({ signal }) => read<SecondFactors>(account.id, 'second-factors', signal),
  });
}
