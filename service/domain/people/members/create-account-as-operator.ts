import type { AccountId } from '../../account-id.ts';
import { createAccount } from './create-account.ts';
import { addPerson } from '../add-person.ts';
import { nameFromEmail } from './name-from-email.ts';
import { newPassword } from '../passwords/new-password.ts';
import { operator } from './operator.ts';
import type { OperatorContext } from './operator.ts';
import { listAccountRows } from '../store/members.ts';
import { findPersonByEmail } from '../store/people.ts';
import { deleteSetUpTokens, lockFirstPerson } from '../store/set-up.ts';

/**
 * Makes an account for an operator at the terminal. Its owner is the person with this e-mail, who
 * is made if there is none; then `password` is the one they sign in with, and the only copy of it.
 * `sameNamed` is how many accounts had the name before.
 */
export async function createAccountAsOperator(
  ctx: OperatorContext,
  { name, email }: { name: string; email: string },
): Promise<{ accountId: AccountId; password: string | null; sameNamed: number }> {
  const password = newPassword();
  const passwordHash = await ctx.auth.hashPassword(password);
  return await ctx.db.transaction(async (tx) => {
    await lockFirstPerson(tx);
    const now = ctx.clock.now();
    const known = await findPersonByEmail(tx, email);
    const owner = known ?? { id: crypto.randomUUID(), name: nameFromEmail(email), email };
    if (!known) {
      await addPerson(tx, { ...owner, passwordHash, now });
      await deleteSetUpTokens(tx);
    }
    const { length: sameNamed } = await listAccountRows(tx, { name });
    const accountId = await createAccount(tx, { name, owner, by: operator, origin: null, now });
    return { accountId, password: known ? null : password, sameNamed };
  });
}
