import type { Tx } from '../../db/open.ts';
import { mintAccountId, type AccountId } from '../account-id.ts';
import { sealHead, type AuditKeys } from './chain/audit-keys.ts';
import { lockVerifiedHeads } from './chain/lock-verified-heads.ts';
import { updateHead } from './store/heads.ts';
import {
  deleteRows,
  deleteRowsOutsideChain,
  findAccountWithEntriesBefore,
  listOldestRows,
} from './store/oldest-entries.ts';

/**
 * Removes up to `limit` entries from before a moment, all of one account.
 * @returns how many
 */
export async function removeExpiredEntries(
  tx: Tx,
  keys: AuditKeys,
  options: { before: Date; limit: number; now: Date },
): Promise<number> {
  const account = await findAccountWithEntriesBefore(tx, options.before);
  if (account === null) return 0;
  return await removeOldestEntries(tx, keys, { accountId: mintAccountId(account), ...options });
}

/**
 * Removes the oldest entries of an account, in the order of its chain, and moves the checkpoint,
 * from which the chain is verified, behind them. Once none of them is left, removes entries outside
 * the chain. Its transaction needs the rights of MIGRATION_DATABASE_URL.
 *
 * @param options.before remove only entries from before this moment; without it, entries of any age
 * @returns how many were removed, at most `limit`
 */
export async function removeOldestEntries(
  tx: Tx,
  keys: AuditKeys,
  {
    accountId,
    before,
    limit,
    now,
  }: { accountId: AccountId; before?: Date; limit: number; now: Date },
): Promise<number> {
  const heads = await lockVerifiedHeads(tx, keys, { accountIds: [accountId], idsEach: 0, now });
  const head = heads.get(accountId)?.head;
  if (!head) return 0;
  const oldest = await listOldestRows(tx, accountId, { after: head.checkpointSequence, limit });
  const young = before ? oldest.findIndex(({ at }) => at >= before) : -1;
  const removed = young === -1 ? oldest : oldest.slice(0, young);
  if (removed.length === 0) return await deleteRowsOutsideChain(tx, accountId, { before, limit });
  await deleteRows(
    tx,
    accountId,
    removed.map(({ id }) => id),
  );
  const last = removed.findLast(({ sequence }) => sequence !== null);
  if (last && last.sequence !== null && last.hash !== null) {
    const { brokenAt } = head;
    const checkpoint = { checkpointSequence: last.sequence, checkpointHash: last.hash };
    const isPast = brokenAt !== null && brokenAt <= last.sequence;
    const moved = { ...head, ...checkpoint, brokenAt: isPast ? null : brokenAt };
    await updateHead(tx, sealHead(keys.current, moved));
  }
  return removed.length;
}
