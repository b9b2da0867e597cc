import type { Context } from '../../context.ts';
import { mintAccountId } from '../account-id.ts';
import { erasureCutoff } from '../people/accounts/deletion.ts';
import { removeOldestEntries } from '../audit/remove-oldest-entries.ts';
import type { Rest } from '../remove-in-batches.ts';
import { forgetInitialValuesOf } from '../people/set-up/initial-values.ts';
import {
  deleteAccountRow,
  deleteRowsOfAccount,
  listAccountsToErase,
  takeAccountToErase,
} from './store.ts';

/** Rows of one transaction: few enough that others hardly wait for their locks. */
const batchSize = 500;

type EraseContext = Pick<Context, 'db' | 'maintenanceDb' | 'auditKeys' | 'clock' | 'log'>;

/**
 * Erases everything of the accounts that were deleted more than 7 days ago, and the people who belong
 * to no other account. What their webhooks sent is left to `applyRetention`, as for any deleted
 * webhook.
 *
 * Works in transactions of at most 500 rows, and rests after each. Any number of processes may do so
 * at once: each batch locks its account, and passes over one that another has. Interrupted, it goes
 * on the next time.
 *
 * @returns how many accounts were erased
 */
export async function eraseDeletedAccounts(ctx: EraseContext, rest: Rest): Promise<number> {
  const deletedBy = erasureCutoff(ctx.clock.now());
  let erased = 0;
  for (const id of await listAccountsToErase(ctx.db, deletedBy)) {
    let step: Step = 'goes_on';
    while (step === 'goes_on') {
      step = await tryBatch(ctx, { id, deletedBy });
      if (step === 'erased') {
        erased += 1;
        ctx.log.info({ accountId: id }, 'a deleted account is erased');
      }
      if (!(await rest())) return erased;
    }
  }
  return erased;
}

/** `not_ours`: restored, or another process is at it. */
type Step = 'goes_on' | 'erased' | 'not_ours' | 'failed';

/** An account that cannot be erased does not keep the others from it. The next hour tries again. */
async function tryBatch(ctx: EraseContext, about: { id: string; deletedBy: Date }): Promise<Step> {
  try {
    return await eraseBatch(ctx, about);
  } catch (error) {
    ctx.log.error({ err: error, accountId: about.id }, 'a deleted account could not be erased');
    return 'failed';
  }
}

async function eraseBatch(
  { maintenanceDb, auditKeys, clock }: EraseContext,
  { id, deletedBy }: { id: string; deletedBy: Date },
): Promise<Step> {
  const accountId = mintAccountId(id);
  const audited = { accountId, limit: batchSize, now: clock.now() };
  return await maintenanceDb.transaction(async (tx) => {
    if (!(await takeAccountToErase(tx, accountId, deletedBy))) return 'not_ours';
    if ((await deleteRowsOfAccount(tx, accountId, batchSize)) > 0) return 'goes_on';
    if ((await removeOldestEntries(tx, auditKeys, audited)) > 0) return 'goes_on';
    await forgetInitialValuesOf(tx, await deleteAccountRow(tx, accountId));
    return 'erased';
  });
}
