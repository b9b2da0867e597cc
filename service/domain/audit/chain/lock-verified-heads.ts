import type { Tx } from '../../../db/open.ts';
import { mintAccountId } from '../../account-id.ts';
import type { AccountId } from '../../account-id.ts';
import { findLastChained, insertHeads, lockAccounts, lockHeads } from '../store/heads.ts';
import { emptyHead, isSealed, sealHead, type AuditKeys, type UnsealedHead } from './audit-keys.ts';

/** A head that is locked in this transaction, with ids for new entries. */
type LockedHead = { head: UnsealedHead; ids: readonly number[] };

/**
 * Locks the heads of accounts, and creates missing ones.
 *
 * A head that was changed, or removed while its entries exist, must not simply be sealed again. It
 * records the place at which this was found (`brokenAt`), and `verify-audit` reports it.
 */
export async function lockVerifiedHeads(
  tx: Tx,
  keys: AuditKeys,
  { accountIds, idsEach, now }: { accountIds: readonly AccountId[]; idsEach: number; now: Date },
): Promise<Map<string, LockedHead>> {
  let found = await lockHeads(tx, accountIds, idsEach);
  const missing = accountIds.filter((id) => !found.has(id));
  if (missing.length > 0) {
    const made = [];
    for (const id of await lockAccounts(tx, missing)) {
      const head = emptyHead(id, now);
      const { brokenAt, ...end } = await findEnd(tx, head);
      made.push(sealHead(keys.current, { ...end, brokenAt: end.sequence === 0 ? null : brokenAt }));
    }
    if (made.length > 0) await insertHeads(tx, made);
    found = await lockHeads(tx, accountIds, idsEach);
  }
  const sound = new Map<string, LockedHead>();
  for (const [accountId, { head, ids }] of found) {
    const isSound = isSealed(keys.current, head);
    sound.set(accountId, { head: isSound ? head : await findEnd(tx, head), ids });
  }
  return sound;
}

/** The head to continue with if the stored one is not reliable: after all entries with a place. */
async function findEnd(tx: Tx, head: UnsealedHead): Promise<UnsealedHead> {
  const last = await findLastChained(tx, mintAccountId(head.accountId));
  const end = last && last.sequence >= head.sequence ? { ...head, ...last } : head;
  return { ...end, brokenAt: end.sequence + 1 };
}
