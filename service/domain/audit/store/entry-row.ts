import type { auditEntries } from '../../../db/schema/audit.ts';

export type AuditEntryRow = typeof auditEntries.$inferSelect;

/** An entry to show. */
export type ListedRow = AuditEntryRow & { isOutsideChain: boolean };

/** An entry with its place in the chain. */
export type ChainedRow = Omit<AuditEntryRow, 'addedBy'> & { sequence: number; hash: Buffer };
