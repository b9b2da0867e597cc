import type { z } from 'zod';
import type { Account, updateAccountInput } from '#lib/contract/people/accounts.ts';
import type { Context } from '../../../context.ts';
import type { PersonActor } from '../../actor.ts';
import { confirmMember } from '../members/confirm-member.ts';
import { changeAccount } from './change-account.ts';

/**
 * Changes settings of the account; each applies from the next call on.
 *
 * @throws ServiceError FORBIDDEN to anybody but an owner
 */
export async function updateAccount(
  ctx: Context,
  actor: PersonActor,
  input: z.output<typeof updateAccountInput>,
): Promise<Account> {
  return await ctx.db.transaction(async (tx) => {
    await confirmMember(tx, actor, 'account.manage');
    return await changeAccount(tx, actor, { input, clock: ctx.clock });
  });
}
