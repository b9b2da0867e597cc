import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Context } from '../../../context.ts';
import { areEqualInConstantTime } from '../../../secrets/are-equal-in-constant-time.ts';
import { mintAccountId, type AccountId } from '../../account-id.ts';
import { listNextAccounts, listOutsideChain, readChainPart } from '../store/chain-parts.ts';
import type { ChainedRow } from '../store/entries.ts';
import { hashEntry, isSealed, startOfChain, type AuditHead, type AuditKeys } from './audit-keys.ts';

export type AccountReport = { account: { id: string; name: string }; report: ChainReport };

const entriesAtOnce = 500;

/** Verifies the audit entries of one account, or of every account, one after the other. */
export async function* verifyAuditAsOperator(
  ctx: Pick<Context, 'db' | 'auditKeys'>,
  only: { id: string; name: string } | null,
): AsyncGenerator<AccountReport> {
  if (only) {
    yield* verifyAccount(ctx, only);
    return;
  }
  let after: string | null = null;
  for (;;) {
    const accounts: AccountReport['account'][] = await listNextAccounts(ctx.db, {
      after,
      limit: entriesAtOnce,
    });
    for (const account of accounts) yield* verifyAccount(ctx, account);
    after = accounts.at(-1)?.id ?? null;
    if (after === null) return;
  }
}

async function* verifyAccount(
  ctx: Parameters<typeof verifyAuditAsOperator>[0],
  account: AccountReport['account'],
): AsyncGenerator<AccountReport> {
  const report = await verifyChain(ctx, mintAccountId(account.id));
  if (report) yield { account, report };
}

/** What is wrong with the chain of an account. Sequences count its entries from 1. */
export type ChainFault =
  /** The entry, its place or its hash is not what the service wrote. */
  | { kind: 'changed'; id: number; sequence: number }
  | { kind: 'missing'; from: number; to: number }
  /** Entries after the last remaining one are missing. */
  | { kind: 'truncated'; from: number; to: number }
  | { kind: 'head_missing' }
  | { kind: 'head_changed' }
  /** A writer found the head changed or removed before it wrote the entry at this place. */
  | { kind: 'head_was_changed'; sequence: number }
  /** Someone else than the service added the entry. */
  | { kind: 'outside_chain'; id: number };

export type ChainReport = {
  /** How many entries were read. */
  entries: number;
  /** The end of the chain, to compare with one that was noted earlier; null without a head. */
  end: { sequence: number; hash: Buffer } | null;
  /** The first faults. */
  faults: readonly ChainFault[];
  faultCount: number;
};

const batchSize = 200;
const maxFaults = 100;

/**
 * Reads the chain of an account from its checkpoint to its end and recomputes every hash. Each
 * batch is one statement, so the service can keep writing in the meantime, and memory holds one
 * batch.
 *
 * @returns null if the account was erased in the meantime
 */
export async function verifyChain(
  { db, auditKeys }: Pick<Context, 'db' | 'auditKeys'>,
  accountId: AccountId,
): Promise<ChainReport | null> {
  const walk = new ChainWalk(auditKeys);
  for (;;) {
    const part = await readChainPart(db, accountId, { after: walk.sequence, limit: batchSize });
    if (part === null) return null;
    walk.add(part.rows, part.head);
    if (part.rows.length < batchSize) {
      walk.end(part.head);
      walk.addOutside(await listOutsideChain(db, accountId, maxFaults));
      return walk.report(part.head);
    }
    // Hashing a batch is CPU work: let the event loop serve other requests.
    await yieldToEventLoop();
  }
}

class ChainWalk {
  readonly #keys: AuditKeys;
  readonly #faults: ChainFault[] = [];
  #faultCount = 0;
  #entries = 0;
  /** The hashes that the next entry may continue. After a changed entry there are several. */
  #previous: readonly Buffer[] | null = [startOfChain];
  sequence = 0;

  constructor(keys: AuditKeys) {
    this.#keys = keys;
  }

  add(rows: readonly ChainedRow[], head: AuditHead | null): void {
    // At the beginning, or if retention has removed entries that this walk has not read yet.
    if (head && head.checkpointSequence > this.sequence) {
      this.sequence = head.checkpointSequence;
      this.#previous = [head.checkpointHash];
    }
    for (const row of rows) this.#addRow(row);
  }

  /** Compares the last entry with the head that was read in the same statement. */
  end(head: AuditHead | null): void {
    if (head === null) {
      this.#fault({ kind: 'head_missing' });
      return;
    }
    if (!isSealed(this.#keys.current, head)) {
      this.#fault({ kind: 'head_changed' });
      return;
    }
    if (head.brokenAt !== null) {
      this.#fault({ kind: 'head_was_changed', sequence: head.brokenAt });
    }
    if (head.sequence > this.sequence) {
      this.#fault({ kind: 'truncated', from: this.sequence + 1, to: head.sequence });
    } else if (head.sequence < this.sequence || !this.#mayContinue(head.hash)) {
      // An old copy of the head, or the head of an entry that was replaced by another.
      this.#fault({ kind: 'head_changed' });
    }
  }

  addOutside({ ids, total }: { ids: readonly number[]; total: number }): void {
    for (const id of ids) this.#fault({ kind: 'outside_chain', id });
    this.#faultCount += total - ids.length;
  }

  report(head: AuditHead | null): ChainReport {
    return {
      entries: this.#entries,
      end: head && { sequence: head.sequence, hash: head.hash },
      faults: this.#faults,
      faultCount: this.#faultCount,
    };
  }

  #addRow(row: ChainedRow): void {
    this.#entries += 1;
    if (row.sequence > this.sequence + 1) {
      this.#fault({ kind: 'missing', from: this.sequence + 1, to: row.sequence - 1 });
      // The entry that this one continues is missing, so this one cannot be checked on its own.
      this.#previous = null;
    }
    this.sequence = row.sequence;
    const computed = this.#hashesOf(row);
    const isAsWritten =
      computed === null || computed.some((hash) => areEqualInConstantTime(hash, row.hash));
    if (!isAsWritten) this.#fault({ kind: 'changed', id: row.id, sequence: row.sequence });
    // If only the stored hash was changed, the next entry continues the computed one.
    this.#previous = isAsWritten ? [row.hash] : [row.hash, ...(computed ?? [])];
  }

  #mayContinue(hash: Buffer): boolean {
    return (
      this.#previous === null || this.#previous.some((known) => areEqualInConstantTime(known, hash))
    );
  }

  /** The entry's possible hashes: for each key, and each hash that it may continue. */
  #hashesOf(row: ChainedRow): Buffer[] | null {
    if (this.#previous === null) return null;
    const { current, older } = this.#keys;
    return this.#previous.flatMap((previous) =>
      [current, ...older].map((key) => hashEntry(key, row, previous)),
    );
  }

  #fault(fault: ChainFault): void {
    this.#faultCount += 1;
    if (this.#faults.length < maxFaults) this.#faults.push(fault);
  }
}
