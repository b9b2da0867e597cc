import type { AccountId } from '../../../account-id.ts';
import { createAccount } from '../create-account.ts';
import { admitPerson, mailAdmitted, preparePassword } from '../admit-person.ts';
import type { Access } from '../admit-person.ts';
import { operator } from './operator.ts';
import type { OperatorContext } from './operator.ts';
import { listAccountRows } from '../../store/members.ts';
import { lockPersonByEmail } from '../../store/people.ts';
import { deleteSetUpTokens, lockFirstPerson } from '../../store/set-up.ts';

/**
 * Creates an account for an operator at the terminal. Its owner is the person with this email, who
 * is added if they do not exist; `access` says how they sign in. `sameNamed` is how many accounts
 * already had this name.
 */
export async function createAccountAsOperator(
  ctx: OperatorContext,
  { name, email }: { name: string; email: string },
): Promise<{ accountId: AccountId; access: Access; sameNamed: number }> {
  const password = await preparePassword(ctx);
  const created = await ctx.db.transaction(async (tx) => {
    await lockFirstPerson(tx);
    const now = ctx.clock.now();
    const known = await lockPersonByEmail(tx, email);
    const { person: owner, access } = await admitPerson(tx, { known, email, ...password, now });
    if (!known) await deleteSetUpTokens(tx);
    const { length: sameNamed } = await listAccountRows(tx, { name });
    const accountId = await createAccount(tx, { name, owner, by: operator, origin: null, now });
    return { accountId, access, sameNamed };
  });
  mailAdmitted(ctx, { email, access: created.access });
  return created;
}
