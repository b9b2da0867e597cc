import type { Context } from '../../context.ts';
import { mintAccountId } from '../account-id.ts';
import { erasureCutoff } from '../people/accounts/deletion.ts';
import { removeOldestEntries } from '../audit/remove-oldest-entries.ts';
import type { PauseBetweenBatches } from '../remove-in-batches.ts';
import { forgetInitialValuesOf } from '../people/set-up/initial-values.ts';
import {
  deleteAccountRow,
  deleteRowsOfAccount,
  listAccountsToErase,
  takeAccountToErase,
} from './store.ts';

/** Rows of one transaction: few enough that other transactions hardly wait for their locks. */
const batchSize = 500;

type EraseContext = Pick<Context, 'db' | 'maintenanceDb' | 'auditKeys' | 'clock' | 'log'>;

/**
 * Erases all data of the accounts that were deleted more than 7 days ago, and the people who belong
 * to no other account. `applyRetention` removes what their webhooks sent, as for any deleted
 * webhook.
 *
 * Works in transactions of at most 500 rows, and rests after each. Any number of processes may do
 * this at the same time: each batch locks its account, and skips an account that another process
 * has locked. After an interruption, the next run continues.
 *
 * @returns how many accounts were erased
 */
export async function eraseDeletedAccounts(
  ctx: EraseContext,
  rest: PauseBetweenBatches,
): Promise<number> {
  const deletedBy = erasureCutoff(ctx.clock.now());
  let erased = 0;
  for (const id of await listAccountsToErase(ctx.db, deletedBy)) {
    let step: Step = 'goes_on';
    while (step === 'goes_on') {
      step = await tryBatch(ctx, { id, deletedBy });
      if (step === 'erased') {
        erased += 1;
        ctx.log.info({ account_id: id }, 'a deleted account is erased');
      }
      if (!(await rest())) return erased;
    }
  }
  return erased;
}

/** `not_ours`: the account was restored, or another process is erasing it. */
type Step = 'goes_on' | 'erased' | 'not_ours' | 'failed';

/** If an account cannot be erased, the others still are. The run an hour later tries it again. */
async function tryBatch(
  ctx: EraseContext,
  account: { id: string; deletedBy: Date },
): Promise<Step> {
  try {
    return await eraseBatch(ctx, account);
  } catch (error) {
    ctx.log.error({ err: error, account_id: account.id }, 'a deleted account could not be erased');
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
