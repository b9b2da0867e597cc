import { queryOptions } from '@tanstack/react-query';
import type { Account } from '../contract/people/accounts.ts';
import { read } from './read.ts';

/** The settings of the account, as the browser refetches them. */
export function accountQuery(accountId: string) {
  return queryOptions({
    queryKey: ['account', accountId],
    queryFn: ({ signal }) => read<Account>(accountId, 'account', signal),
  });
}
