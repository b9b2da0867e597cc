import { bigint, index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import type { ProcessRole, RepairKind } from '#lib/contract/support-desk/installation-status.ts';
import { instantColumn } from './columns.ts';

/** The processes of the service that use this database: a row for each, until it stops. */
export const processes = pgTable('processes', {
  /** Chosen at each start, because a machine uses the same process id again. */
  id: uuid('id').primaryKey(),
  host: text('host').notNull(),
  pid: integer('pid').notNull(),
  roles: text('roles').array().$type<ProcessRole[]>().notNull(),
  version: text('version').notNull(),
  memoryBytes: bigint('memory_bytes', { mode: 'number' }).notNull(),
  startedAt: instantColumn('started_at').notNull(),
  /** The last sign of life. */
  seenAt: instantColumn('seen_at').notNull(),
});

/** What workers found and put right after a process had died: a row only if there was something. */
export const repairs = pgTable(
  'repairs',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    at: instantColumn('at').notNull(),
    kind: text('kind').$type<RepairKind>().notNull(),
    webhooks: integer('webhooks').notNull(),
    /** Of these webhooks, how many deliveries were due; null if they were not counted. */
    deliveries: integer('deliveries'),
  },
  (table) => [index('repairs_at').on(table.at)],
);
