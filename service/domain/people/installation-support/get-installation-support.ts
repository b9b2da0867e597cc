import type { InstallationSupport } from '#lib/contract/people/installation-support.ts';
import type { Context } from '../../../context.ts';
import type { PersonActor } from '../../actor.ts';
import { readAccount } from '../store/accounts.ts';
import { listSupporterRows } from '../store/installation-support.ts';
import { describeInstallationSupport } from './describe-installation-support.ts';

/**
 * Who supports the whole installation, when they last opened the account, and what they may do
 * there.
 */
export async function getInstallationSupport(
  ctx: Context,
  { accountId }: PersonActor,
): Promise<InstallationSupport> {
  const account = await readAccount(ctx.db, accountId);
  return describeInstallationSupport(account, await listSupporterRows(ctx.db, accountId));
}
