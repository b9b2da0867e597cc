import type { auditHeads } from '../../../db/schema/audit.ts';
import { areEqualInConstantTime } from '../../../secrets/are-equal-in-constant-time.ts';
import { hashWith } from './audit-keys.ts';
import { startOfChain } from './hash-entry.ts';

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
