import { queryOptions } from '@tanstack/react-query';
import type { Invitation } from '../../contract/people/invitations.ts';
import { read } from '../read.ts';

/** The invitations to the account that nobody accepted yet, as the browser refetches them. */
export function invitationsQuery(accountId: string) {
  return queryOptions({
    queryKey: ['invitations', accountId],
    queryFn: ({ signal }) => read<Invitation[]>(accountId, 'invitations', signal),
  });
}
