import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Context } from '../../../context.ts';
import { mintAccountId } from '../../account-id.ts';
import { updateHead } from '../store/heads.ts';
import {
  chainRows,
  findUnchainedAccount,
  listAccountsWithoutHead,
  listUnchainedRows,
} from '../store/older-entries.ts';
import { continueChain } from './append-entries.ts';
import { sealHead } from './head.ts';
import { lockVerifiedHeads } from './lock-verified-heads.ts';

const batchSize = 500;

/**
 * Assigns places in the chains to entries that an earlier version wrote, after the entries that
 * already have one, and creates missing heads. These entries are marked as chained later, because
 * nothing proves that they were not changed before.
 *
 * Any number of processes may do this at the same time, and it can be interrupted: each batch is a
 * transaction that locks the head.
 *
 * @returns how many entries got a place
 */
export async function chainOlderEntries(
  ctx: Pick<Context, 'maintenanceDb' | 'auditKeys' | 'clock'>,
): Promise<number> {
  let count = 0;
  for (;;) {
    const accountId = await findUnchainedAccount(ctx.maintenanceDb);
    if (accountId === null) break;
    count += await chainBatch(ctx, accountId);
    // Hashing a batch is CPU work: let the event loop serve other requests.
    await yieldToEventLoop();
  }
  await addMissingHeads(ctx);
  return count;
}

async function chainBatch(
  { maintenanceDb, auditKeys, clock }: Parameters<typeof chainOlderEntries>[0],
  account: string,
): Promise<number> {
  const accountId = mintAccountId(account);
  return await maintenanceDb.transaction(async (tx) => {
    const about = { accountIds: [accountId], idsEach: 0, now: clock.now() };
    const locked = (await lockVerifiedHeads(tx, auditKeys, about)).get(accountId);
    // The account was erased in the meantime.
    if (!locked) return 0;
    const entries = await listUnchainedRows(tx, accountId, batchSize);
    const placed = entries.map((entry) => ({ ...entry, isChainedLater: true }));
    const { rows, head } = continueChain(auditKeys, locked.head, placed);
    await chainRows(tx, accountId, rows);
    await updateHead(tx, sealHead(auditKeys.current, head));
    return rows.length;
  });
}

/**
 * Creates the missing heads. From then on, an account without a head is one whose head was removed.
 */
async function addMissingHeads({
  maintenanceDb,
  auditKeys,
  clock,
}: Parameters<typeof chainOlderEntries>[0]): Promise<void> {
  for (;;) {
    const found = await listAccountsWithoutHead(maintenanceDb, batchSize);
    if (found.length === 0) return;
    const about = { accountIds: found.map(mintAccountId), idsEach: 0, now: clock.now() };
    await maintenanceDb.transaction((tx) => lockVerifiedHeads(tx, auditKeys, about));
  }
}
