import { dayMs } from '#lib/durations.ts';
import type { Context } from '../../../context.ts';
import { digestToken, newProvisionerToken } from '../../../tokens/token.ts';
import type { Provisioner } from '../../actor.ts';
import { erasureCutoff } from '../accounts/deletion.ts';
import type { OperatorContext } from '../members/operator/operator.ts';
import {
  deleteProvisioner,
  endProvisioner,
  findValidProvisioner,
  insertProvisioner,
  listProvisionedAccounts,
  listProvisionerRows,
} from '../store/provisioners.ts';
import { deleteAccountOf } from './provision-account.ts';

/** The valid provisioner with this token; null if there is none. */
export async function authenticateProvisioner(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  token: string,
): Promise<Provisioner | null> {
  const row = await findValidProvisioner(db, { digest: digestToken(token), now: clock.now() });
  return row && { provisionerId: row.id, provisionerName: row.name };
}

/** Creates a provisioner for an operator. @returns its token, once; null if the name is taken */
export async function createProvisionerAsOperator(
  { db, clock }: OperatorContext,
  { name, days }: { name: string; days: number },
): Promise<{ token: string; expiresAt: Date } | null> {
  const token = newProvisionerToken();
  const createdAt = clock.now();
  const expiresAt = new Date(createdAt.getTime() + days * dayMs);
  const row = { name, digest: digestToken(token), createdAt, expiresAt };
  const isAdded = await db.transaction(async (tx) => await insertProvisioner(tx, row));
  return isAdded ? { token, expiresAt } : null;
}

export type ListedProvisioner = {
  name: string;
  createdAt: Date;
  expiresAt: Date;
  accounts: number;
};

export async function listProvisionersAsOperator({
  db,
  clock,
}: OperatorContext): Promise<ListedProvisioner[]> {
  return await listProvisionerRows(db, erasureCutoff(clock.now()));
}

/**
 * Ends a provisioner for an operator, and deletes the accounts that it created, each in a transaction
 * of its own. After an interruption, the next run continues.
 *
 * @returns how many accounts; null if there is no provisioner with this name
 */
export async function removeProvisionerAsOperator(
  ctx: OperatorContext,
  name: string,
): Promise<{ deletedAccounts: number } | null> {
  const now = ctx.clock.now();
  const id = await endProvisioner(ctx.db, { name, now });
  if (id === null) return null;
  const provisioner = { provisionerId: id, provisionerName: name };
  const accountIds = await listProvisionedAccounts(ctx.db, {
    provisionerId: id,
    deletedBy: erasureCutoff(now),
  });
  for (const accountId of accountIds) {
    await ctx.db.transaction(
      async (tx) => await deleteAccountOf(ctx, { tx, provisioner, accountId }),
    );
  }
  await deleteProvisioner(ctx.db, id);
  return { deletedAccounts: accountIds.length };
}
