import type { Session } from '#lib/contract/people/sessions.ts';
import { roleTable } from '#lib/contract/rights/roles.ts';

/** What somebody is in the account: "Owner", or "Installation support" where they are no member. */
export function describeRole({
  role,
  account,
  accounts,
}: Pick<Session, 'role' | 'account' | 'accounts'>): string {
  const isMember = accounts.some(({ id }) => id === account.id);
  return isMember ? roleTable[role].label : 'Installation support';
}
