import type { Account } from '#lib/contract/people/accounts.ts';
import type { Context } from '../../../context.ts';
import type { PersonActor } from '../../actor.ts';
import { readAccount } from '../store/accounts.ts';
import { describeAccount } from './describe-account.ts';

/** The settings of the actor's account. */
export async function getAccount(ctx: Context, actor: PersonActor): Promise<Account> {
  return describeAccount(await readAccount(ctx.db, actor.accountId));
}
