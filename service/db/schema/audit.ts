import { sql } from 'drizzle-orm';
import {
  bigint,
  index,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { accounts } from './people/accounts.ts';
import { addedByColumn, bytes, instantColumn } from './columns.ts';
import type { ActorReference } from './columns.ts';

/**
 * Who did what. Append-only: triggers refuse changes, and any removal except by retention. The
 * entries of an account form a chain, which `domain/audit/chain/` writes and verifies.
 */
export const auditEntries = pgTable(
  'audit_entries',
  {
    accountId: uuid('account_id')
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    id: bigint('id', { mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    at: instantColumn('at').notNull(),
    actor: jsonb('actor').$type<ActorReference>().notNull(),
    action: text('action').notNull(),
    target: jsonb('target').$type<{ kind: string; id: string; name: string }>().notNull(),
    changes: jsonb('changes').$type<Record<string, unknown>>(),
    ip: text('ip'),
    userAgent: text('user_agent'),
    requestId: text('request_id'),
    /** Its place in the account's chain, from 1. Null: someone else than the service wrote it. */
    sequence: bigint('sequence', { mode: 'number' }),
    /** A keyed hash over the entry, its place and the hash of the entry before it. */
    hash: bytes('hash'),
    addedBy: addedByColumn(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.id] }),
    index('audit_entries_added').on(table.accountId, table.addedBy, table.id),
    uniqueIndex('audit_entries_sequence').on(table.accountId, table.sequence),
    // One index for each filter of the log. They end with the id, by which the log is read, so that
    // the first page of a filter takes the same time however many entries there are.
    index('audit_entries_actor').on(table.accountId, sql`(actor ->> 'id')`, table.id),
    index('audit_entries_actor_kind').on(table.accountId, sql`(actor ->> 'kind')`, table.id),
    index('audit_entries_action').on(table.accountId, table.action, table.id),
    index('audit_entries_action_group').on(
      table.accountId,
      sql`split_part(action, '.', 1)`,
      table.id,
    ),
    index('audit_entries_target').on(table.accountId, sql`(target ->> 'id')`, table.id),
    index('audit_entries_at').on(table.accountId, table.at, table.id),
    index('audit_entries_unchained')
      .on(table.accountId, table.id)
      .where(sql`sequence is null`),
  ],
);

/**
 * Where the chain of an account's audit entries begins and ends. It is locked after everything else
 * that a transaction locks, so that the lock is as short as possible.
 */
export const auditHeads = pgTable('audit_heads', {
  accountId: uuid('account_id')
    .primaryKey()
    .references(() => accounts.id, { onDelete: 'cascade' }),
  /** The place of the newest entry; 0 if there has been none. */
  sequence: bigint('sequence', { mode: 'number' }).notNull(),
  hash: bytes('hash').notNull(),
  /** The place of the last entry that retention removed; 0 if none was removed. */
  checkpointSequence: bigint('checkpoint_sequence', { mode: 'number' }).notNull(),
  checkpointHash: bytes('checkpoint_hash').notNull(),
  /** The next place to be written at the time when this row was found to be changed or missing. */
  brokenAt: bigint('broken_at', { mode: 'number' }),
  createdAt: instantColumn('created_at').notNull(),
  /** A keyed hash over all columns above. */
  seal: bytes('seal').notNull(),
});
