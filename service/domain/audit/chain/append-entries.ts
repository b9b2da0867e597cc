import type { Db, Tx } from '../../../db/open.ts';
import { appendRows, type ChainedRow } from '../store/entries.ts';
import {
  hashEntry,
  sealHead,
  type AuditKeys,
  type HashedEntry,
  type UnsealedHead,
} from './audit-keys.ts';
import { lockVerifiedHeads } from './lock-verified-heads.ts';
import { collectEntries, type NewEntry } from './pending-entries.ts';

/** Has transactions write audit entries last, so that they lock the chain's head only briefly. */
export function withAuditChain(db: Db, keys: AuditKeys): Db {
  const transaction: Db['transaction'] = async (act, options) =>
    await db.transaction(async (tx) => {
      const pending = collectEntries(tx);
      const result = await act(tx);
      await appendEntries(tx, keys, pending);
      return result;
    }, options);
  return Object.assign(Object.create(db) as Db, { transaction });
}

/** Writes entries, in their order, to the ends of their accounts' chains. */
async function appendEntries(tx: Tx, keys: AuditKeys, entries: readonly NewEntry[]): Promise<void> {
  const [first] = entries;
  if (!first) return;
  const ofAccount = Map.groupBy(entries, ({ accountId }) => accountId);
  const max = Math.max(...ofAccount.values().map(({ length }) => length));
  const about = { accountIds: [...ofAccount.keys()], idsEach: max, now: first.at };
  const heads = await lockVerifiedHeads(tx, keys, about);
  const appended = [...ofAccount].map(([accountId, added]) => {
    const found = heads.get(accountId);
    if (!found) throw new Error(`Account ${accountId} has no head of its audit entries.`);
    const unplaced = added.map((entry, index) => ({
      ...entry,
      ...asStored(entry),
      id: found.ids[index] ?? 0,
    }));
    const { rows, head } = continueChain(keys, found.head, unplaced);
    return { rows, head: sealHead(keys.current, head) };
  });
  for (let from = 0; from < appended.length; from += accountsAtOnce) {
    await appendRows(tx, appended.slice(from, from + accountsAtOnce));
  }
}

/** A statement can have at most 65,535 values, and an entry has a dozen. */
const accountsAtOnce = 100;

/** Assigns entries the places that follow a head, and moves the head. */
function continueChain(
  keys: AuditKeys,
  head: UnsealedHead,
  entries: readonly Omit<HashedEntry, 'sequence'>[],
): { rows: ChainedRow[]; head: UnsealedHead } {
  let { sequence, hash } = head;
  const rows = entries.map((entry) => {
    sequence += 1;
    hash = hashEntry(keys.current, { ...entry, sequence }, hash);
    return { ...entry, sequence, hash };
  });
  return { rows, head: { ...head, sequence, hash } };
}

/** The entry as the database returns it later, without properties that JSON leaves out. */
function asStored({
  actor,
  target,
  changes,
}: NewEntry): Pick<NewEntry, 'actor' | 'target' | 'changes'> {
  return JSON.parse(JSON.stringify({ actor, target, changes })) as NewEntry;
}
