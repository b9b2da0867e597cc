import type { auditEntries } from '../../../db/schema/audit.ts';
import { hashWith } from './audit-keys.ts';

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
 * the entry before it, and its whole content. Whoever can write to the database but lacks
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
