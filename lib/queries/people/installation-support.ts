import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { FoundAccount } from '../../contract/people/found-account.ts';
import type { InstallationSupport } from '../../contract/people/installation-support.ts';
import { read } from '../read.ts';

/** Who supports the whole installation, and what they may do in the account. */
export function installationSupportQuery(accountId: string) {
  return queryOptions({
    queryKey: ['installation-support', accountId],
    queryFn: ({ signal }) => read<InstallationSupport>(accountId, 'installation-support', signal),
  });
}

/**
 * The accounts that installation support finds. The previous results stay while the next ones are
 * loading.
 */
export function foundAccountsQuery(accountId: string, search: string) {
  return queryOptions({
    queryKey: ['found-accounts', search],
    queryFn: ({ signal }) =>
      read<FoundAccount[]>(accountId, `accounts?search=${encodeURIComponent(search)}`, signal),
    placeholderData: keepPreviousData,
  });
}
