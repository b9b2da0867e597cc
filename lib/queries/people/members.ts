import { queryOptions } from '@tanstack/react-query';
import type { Member, ShownSecrets } from '../../contract/people/members.ts';
import { read } from '../read.ts';

/** The members of the account, as the browser refetches them. */
export function membersQuery(accountId: string) {
  return queryOptions({
    queryKey: ['members', accountId],
    queryFn: ({ signal }) => read<Member[]>(accountId, 'members', signal),
  });
}

/** Which tokens and signing secrets were shown to a member and still work. @param member id */
export function shownSecretsQuery(accountId: string, member: string) {
  return queryOptions({
    queryKey: ['shown-secrets', accountId, member],
    queryFn: ({ signal }) =>
      read<ShownSecrets>(accountId, `members/${encodeURIComponent(member)}/shown-secrets`, signal),
  });
}
