import { admitPerson, mailAdmitted, preparePassword } from '../members/admit-person.ts';
import type { Access } from '../members/admit-person.ts';
import { operator } from '../members/operator/operator.ts';
import type { OperatorContext } from '../members/operator/operator.ts';
import { recordInAccounts } from '../record-in-accounts.ts';
import { insertSupporter, isInstallationSupport } from '../store/installation-support.ts';
import { lockPersonByEmail } from '../store/people.ts';

/** The result of adding somebody to installation support. `access` says how they sign in. */
export type AddedSupporter = { kind: 'added'; access: Access } | { kind: 'unchanged' };

/**
 * Adds somebody to the support of every account that allows it, for an operator at the terminal.
 * The audit logs of the accounts they belong to record it; in all other accounts, the audit log
 * records their visits.
 *
 * @throws ServiceError VALIDATION_ERROR with `details.email` if the address is a previous one of
 *   somebody who can still undo that change
 */
export async function addSupportAsOperator(
  ctx: OperatorContext,
  email: string,
): Promise<AddedSupporter> {
  const password = await preparePassword(ctx);
  const added = await ctx.db.transaction<AddedSupporter>(async (tx) => {
    const now = ctx.clock.now();
    const known = await lockPersonByEmail(tx, email);
    if (known && (await isInstallationSupport(tx, known.id))) return { kind: 'unchanged' };
    const { person, access } = await admitPerson(tx, { known, email, ...password, now });
    await insertSupporter(tx, { personId: person.id, addedAt: now });
    await recordInAccounts(tx, {
      person,
      by: operator,
      origin: null,
      action: 'person.installation_support_added',
      now,
      changes: { email },
    });
    return { kind: 'added', access };
  });
  if (added.kind === 'added') mailAdmitted(ctx, { email, access: added.access });
  return added;
}
