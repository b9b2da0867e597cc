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
 * Gives entries that an earlier version wrote their places in the chains of their accounts, after
 * those that have one, and every account a head. Such an entry is marked as chained later, since
 * nothing proves what became of it before.
 *
 * Any number of processes may do so at once, and an end in the middle does no harm: each batch is a
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
    // The account was erased meanwhile.
    if (!locked) return 0;
    const entries = await listUnchainedRows(tx, accountId, batchSize);
    const placed = entries.map((entry) => ({ ...entry, isChainedLater: true }));
    const { rows, head } = continueChain(auditKeys, locked.head, placed);
    await chainRows(tx, accountId, rows);
    await updateHead(tx, sealHead(auditKeys.current, head));
    return rows.length;
  });
}

/** So that an account without a head is one whose head was removed. */
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
