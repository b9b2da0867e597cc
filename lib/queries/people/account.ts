import { queryOptions } from '@tanstack/react-query';
import type { AccountUsage } from '../../contract/people/account-usage.ts';
import type { Account } from '../../contract/people/accounts.ts';
import { read } from '../read.ts';

/** The settings of the account, as the browser refetches them. */
export function accountQuery(accountId: string) {
  return queryOptions({
    queryKey: ['account', accountId],
    queryFn: ({ signal }) => read<Account>(accountId, 'account', signal),
  });
}

/** How many keys and webhooks the account has, read with its settings. */
export function accountUsageQuery(accountId: string) {
  return queryOptions({
    queryKey: [...accountQuery(accountId).queryKey, 'usage'],
    queryFn: ({ signal }) => read<AccountUsage>(accountId, 'account/usage', signal),
  });
}
