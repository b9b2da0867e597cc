import type { Tx } from '../../../db/open.ts';
import type { ActorReference } from '../../../db/schema/columns.ts';
import type { AccountId } from '../../account-id.ts';

/** An entry before it has its place in the chain. */
export type NewEntry = {
  accountId: AccountId;
  at: Date;
  actor: ActorReference;
  action: string;
  target: { kind: string; id: string; name: string };
  changes: Record<string, unknown> | null;
  ip: string | null;
  userAgent: string | null;
  requestId: string | null;
};

const pendingOf = new WeakMap<Tx, NewEntry[]>();

/** Begins to collect the entries of a transaction. */
export function collectEntries(tx: Tx): readonly NewEntry[] {
  const pending: NewEntry[] = [];
  pendingOf.set(tx, pending);
  return pending;
}

/** Queues an entry, which is written at the end of the transaction. */
export function addPendingEntry(tx: Tx, entry: NewEntry): void {
  const pending = pendingOf.get(tx);
  if (!pending) throw new Error('Audit entries are written in transactions of a chained database.');
  pending.push(entry);
}
