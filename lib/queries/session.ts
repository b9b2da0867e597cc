import { queryOptions } from '@tanstack/react-query';
import type { Session, SignedInSession } from '../contract/dashboard.ts';
import { read } from './read.ts';

/** Who is signed in now, which another tab may have changed. The key names whom the page was made for. */
export function sessionQuery({ person, account }: Pick<Session, 'person' | 'account'>) {
  return queryOptions({
    queryKey: ['session', person.id, account.id],
    queryFn: ({ signal }) => read<Session>('/data/session', signal),
  });
}

/** Where a person is signed in, as the browser refetches it. */
export function sessionsQuery(personId: string) {
  return queryOptions({
    queryKey: ['sessions', personId],
    queryFn: ({ signal }) => read<SignedInSession[]>('/data/sessions', signal),
  });
}
