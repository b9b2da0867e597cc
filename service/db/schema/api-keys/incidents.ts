import { sql } from 'drizzle-orm';
import {
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import type { IncidentAct } from '#lib/contract/api-keys/incidents/incident-words.ts';
import type { Incident, IncidentResult } from '#lib/contract/api-keys/incidents/incident.ts';
import { accounts } from '../people/accounts.ts';
import { apiKeys } from './api-keys.ts';
import { instantColumn } from '../columns.ts';
import type { ActorReference } from '../columns.ts';

/** Many keys that are changed together. Workers process one key after the other. */
export const incidents = pgTable(
  'incidents',
  {
    accountId: uuid('account_id')
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    uuid: uuid('uuid').notNull().unique().defaultRandom(),
    act: text('act').$type<IncidentAct>().notNull(),
    /** Null unless the keys are rotated. */
    graceSeconds: integer('grace_seconds'),
    reason: text('reason').notNull(),
    state: text('state').$type<Incident['state']>().notNull(),
    createdAt: instantColumn('created_at').notNull(),
    /** The person in whose name every key is changed. */
    createdBy: jsonb('created_by').$type<ActorReference>().notNull(),
    /** The origin of their request, which each audit entry names. */
    origin: jsonb('origin')
      .$type<{ ip: string; userAgent: string | null; requestId: string }>()
      .notNull(),
    finishedAt: instantColumn('finished_at'),
    cancelledBy: jsonb('cancelled_by').$type<ActorReference>(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.uuid] }),
    index('incidents_listed').on(table.accountId, table.createdAt),
    uniqueIndex('incidents_running')
      .on(table.accountId)
      .where(sql`state = 'running'`),
  ],
);

export const incidentKeys = pgTable(
  'incident_keys',
  {
    accountId: uuid('account_id').notNull(),
    incidentUuid: uuid('incident_uuid')
      .notNull()
      .references(() => incidents.uuid, { onDelete: 'cascade' }),
    apiKeyId: integer('api_key_id')
      .notNull()
      .references(() => apiKeys.id, { onDelete: 'cascade' }),
    /** The last four of the newest token when the incident began. */
    lastFour: text('last_four').notNull(),
    result: text('result').$type<IncidentResult>().notNull(),
    /** Why it was skipped or failed. */
    problem: text('problem'),
    at: instantColumn('at'),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.incidentUuid, table.apiKeyId] })],
);
