import type { InstallationSupport } from '#lib/contract/people/installation-support.ts';
import { formatApiTime } from '#lib/time.ts';
import type { AccountRow } from '../store/accounts.ts';
import type { SupporterRow } from '../store/installation-support.ts';

/** Installation support as the dashboard shows it in one account. */
export function describeInstallationSupport(
  account: AccountRow,
  supporters: readonly SupporterRow[],
): InstallationSupport {
  return {
    ...describeAccess(account),
    people: supporters.map(({ addedAt, lastOpenedAt, lastReason, ...person }) => ({
      ...person,
      added_at: formatApiTime(addedAt),
      last_opened_at: lastOpenedAt && formatApiTime(lastOpenedAt),
      last_reason: lastReason,
    })),
  };
}

/** With the names of the API, which the audit log also uses. */
export function describeAccess(account: AccountRow) {
  return {
    is_allowed: account.allowsInstallationSupport,
    tokens: account.installationSupportTokens,
    payloads: account.installationSupportPayloads,
    error_texts: account.installationSupportErrorTexts,
  };
}
