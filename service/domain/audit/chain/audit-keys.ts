import { createHmac } from 'node:crypto';
import type { auditEntries, auditHeads } from '../../../db/schema/audit.ts';
import { areEqualInConstantTime } from '../../../secrets/are-equal-in-constant-time.ts';

/** The keys of the audit log's chain, each derived from a SECRET_KEY. */
export type AuditKeys = {
  /** The key for new entries and for heads. */
  current: Buffer;
  /** The keys of entries from before changes of SECRET_KEY, newest first. */
  older: readonly Buffer[];
};

function hashWith(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

/** Where the chain of an account begins and ends. */
export type AuditHead = typeof auditHeads.$inferSelect;

export type UnsealedHead = Omit<AuditHead, 'seal'>;

/** The head of an account without entries. */
export function emptyHead(accountId: string, createdAt: Date): UnsealedHead {
  return {
    accountId,
    sequence: 0,
    hash: startOfChain,
    checkpointSequence: 0,
    checkpointHash: startOfChain,
    brokenAt: null,
    createdAt,
  };
}

export function sealHead(key: Buffer, head: UnsealedHead): AuditHead {
  return { ...head, seal: computeSeal(key, head) };
}

/** Whether the head is unchanged since the service wrote it. */
export function isSealed(key: Buffer, head: AuditHead): boolean {
  return areEqualInConstantTime(head.seal, computeSeal(key, head));
}

function computeSeal(key: Buffer, head: UnsealedHead): Buffer {
  return hashWith(
    key,
    JSON.stringify([
      'audit head 1',
      head.accountId,
      head.sequence,
      head.hash.toString('hex'),
      head.checkpointSequence,
      head.checkpointHash.toString('hex'),
      head.brokenAt,
      head.createdAt.toISOString(),
    ]),
  );
}

/** What the hash of an audit entry covers. */
export type HashedEntry = Omit<
  typeof auditEntries.$inferSelect,
  'hash' | 'sequence' | 'addedBy'
> & {
  sequence: number;
};

/** The hash before the first entry of an account. */
export const startOfChain = Buffer.alloc(32);

/**
 * The keyed hash of an entry. It covers its account, its place in the account's chain, the hash of
 * the entry before it, and its whole content. Anyone who can write to the database but lacks
 * SECRET_KEY cannot compute it.
 */
export function hashEntry(key: Buffer, entry: HashedEntry, previous: Buffer): Buffer {
  return hashWith(
    key,
    JSON.stringify([
      'audit entry 1',
      entry.accountId,
      entry.sequence,
      previous.toString('hex'),
      entry.id,
      entry.at.toISOString(),
      sorted(entry.actor),
      entry.action,
      sorted(entry.target),
      sorted(entry.changes),
      entry.ip,
      entry.userAgent,
      entry.requestId,
    ]),
  );
}

/** Sorts properties, because the database does not preserve their order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, member]) => [name, sorted(member)]),
  );
}
