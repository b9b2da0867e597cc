import { dayMs } from '#lib/durations.ts';
import type { Context } from '../../context.ts';
import { mintAccountId } from '../account-id.ts';
import { processEach } from '../process-each.ts';
import { removeOldestEntries } from '../audit/remove-oldest-entries.ts';
import { removeInBatches, type PauseBetweenBatches } from '../in-batches.ts';
import { erasureCutoff } from '../people/accounts/deletion.ts';
import { deleteInitialValuesOf } from '../people/set-up/initial-values.ts';
import {
  deleteAccountRow,
  deletePeopleOfNoAccount,
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
 * has locked. After an interruption or a failure, the next run continues.
 *
 * @returns how many accounts were erased
 */
export async function eraseDeletedAccounts(
  ctx: EraseContext,
  rest: PauseBetweenBatches,
): Promise<number> {
  const deletedBy = erasureCutoff(ctx.clock.now());
  let erased = 0;
  let shouldContinue = true;
  await processEach(await listAccountsToErase(ctx.db, deletedBy), {
    async act(id) {
      let step: Step = 'goes_on';
      while (shouldContinue && step === 'goes_on') {
        step = await eraseBatch(ctx, { id, deletedBy });
        if (step === 'erased') {
          erased += 1;
          ctx.log.info({ account_id: id }, 'a deleted account is erased');
        }
        shouldContinue = await rest();
      }
    },
    log: ctx.log,
    failure: 'a deleted account could not be erased',
    name: (id) => ({ account_id: id }),
  });
  return erased;
}

/** `not_ours`: the account was restored, or another process is erasing it. */
type Step = 'goes_on' | 'erased' | 'not_ours';

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
    await deleteInitialValuesOf(tx, await deleteAccountRow(tx, accountId));
    return 'erased';
  });
}

type ErasePeopleContext = Pick<Context, 'maintenanceDb' | 'clock'> & {
  config: Pick<Context['config'], 'auditRetentionDays'>;
};

/**
 * Erases people who left, or were removed from, their last account and installation support, after
 * the time for which a deleted account is kept: until then an account can take them back as they
 * were. People with an invitation or a session are kept. Rotation requests name the people who made
 * them and are part of an account's history, so those people are kept as long as the audit log
 * names them.
 */
export async function erasePeopleWithoutAccount(
  ctx: ErasePeopleContext,
  rest: PauseBetweenBatches,
): Promise<void> {
  const now = ctx.clock.now();
  const since = erasureCutoff(now);
  const requestsSince = new Date(now.getTime() - ctx.config.auditRetentionDays * dayMs);
  await removeInBatches(rest, async (limit) => {
    return await ctx.maintenanceDb.transaction(async (tx) => {
      const emails = await deletePeopleOfNoAccount(tx, { since, requestsSince, now, limit });
      await deleteInitialValuesOf(tx, emails);
      return emails.length;
    });
  });
}
