import { nameFromEmail } from '../members/name-from-email.ts';
import { operator } from '../members/operator.ts';
import type { OperatorContext } from '../members/operator.ts';
import { newPassword } from '../passwords/new-password.ts';
import { recordInAccounts } from '../record-in-accounts.ts';
import { insertSupporter } from '../store/installation-support.ts';
import { findPersonByEmail, insertPerson } from '../store/people.ts';

/**
 * What came of adding somebody to installation support. `password` is the one a new person signs in
 * with, and the only copy; null if they have one already.
 */
export type AddedSupporter = { kind: 'added'; password: string | null } | { kind: 'unchanged' };

/**
 * Lets somebody support every account that allows it, for an operator at the terminal. The accounts
 * they belong to have it in their audit logs; the others have their visits there.
 */
export async function addSupportAsOperator(
  ctx: OperatorContext,
  email: string,
): Promise<AddedSupporter> {
  const password = newPassword();
  const passwordHash = await ctx.auth.hashPassword(password);
  return await ctx.db.transaction(async (tx) => {
    const now = ctx.clock.now();
    const known = await findPersonByEmail(tx, email);
    const person = known ?? { id: crypto.randomUUID(), name: nameFromEmail(email), email };
    if (!known) await insertPerson(tx, { ...person, passwordHash, now });
    const isNew = await insertSupporter(tx, { personId: person.id, addedAt: now });
    if (!isNew) return { kind: 'unchanged' };
    await recordInAccounts(tx, {
      person,
      by: operator,
      origin: null,
      action: 'person.installation_support_added',
      now,
      changes: { email },
    });
    return { kind: 'added', password: known ? null : password };
  });
}
