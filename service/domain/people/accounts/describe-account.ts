import type { Account } from '#lib/contract/people/accounts.ts';
import { formatApiTime } from '#lib/time.ts';
import type { AccountRow } from '../store/accounts.ts';

/** An account's settings as the dashboard shows them. */
export function describeAccount(account: AccountRow): Account {
  const { secondFactorRequiredFrom } = account;
  return {
    id: account.id,
    name: account.name,
    support: {
      tokens: account.supportTokens,
      payloads: account.supportPayloads,
      error_texts: account.supportErrorTexts,
    },
    second_factor_required_from:
      secondFactorRequiredFrom && formatApiTime(secondFactorRequiredFrom),
    session_hours: account.sessionHours,
  };
}
