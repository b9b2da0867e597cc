import { and, asc, count, desc, eq, inArray, ne, sql } from 'drizzle-orm';
import type { IncidentResult } from '#lib/contract/api-keys/incidents/incident.ts';
import type { Db, Tx } from '../../../db/open.ts';
import { isAccountNotDeleted } from '../../../db/account-not-deleted.ts';
import { apiKeys } from '../../../db/schema/api-keys/api-keys.ts';
import { incidentKeys, incidents } from '../../../db/schema/api-keys/incidents.ts';
import { columnsEqual } from '../../../db/statements/columns-equal.ts';
import type { AccountId } from '../../account-id.ts';
import { mintAccountId } from '../../account-id.ts';

export type IncidentRow = typeof incidents.$inferSelect;
type IncidentKeyRow = typeof incidentKeys.$inferSelect;

/** An incident, identified within its account. */
export type IncidentReference = { accountId: AccountId; uuid: string };

/** The incident as stored; null if another one of the account is running. */
export async function insertIncident(
  tx: Tx,
  row: typeof incidents.$inferInsert,
  keys: readonly Pick<IncidentKeyRow, 'apiKeyId' | 'lastFour'>[],
): Promise<IncidentRow | null> {
  const [inserted] = await tx.insert(incidents).values(row).onConflictDoNothing().returning();
  if (!inserted) return null;
  const { accountId, uuid: incidentUuid } = inserted;
  await tx
    .insert(incidentKeys)
    .values(keys.map((key) => ({ ...key, accountId, incidentUuid, result: 'waiting' as const })));
  return inserted;
}

export async function findIncident(
  db: Db | Tx,
  incident: IncidentReference,
): Promise<IncidentRow | null> {
  const [row] = await db.select().from(incidents).where(isIncident(incident));
  return row ?? null;
}

/** The incident, locked: none of its keys is changed until the transaction ends. */
export async function lockIncident(
  tx: Tx,
  incident: IncidentReference,
): Promise<IncidentRow | null> {
  const [row] = await tx.select().from(incidents).where(isIncident(incident)).for('update');
  return row ?? null;
}

export async function listIncidentRows(
  db: Db | Tx,
  accountId: AccountId,
  limit: number,
): Promise<IncidentRow[]> {
  return await db
    .select()
    .from(incidents)
    .where(eq(incidents.accountId, accountId))
    .orderBy(desc(incidents.createdAt), desc(incidents.uuid))
    .limit(limit);
}

/** The keys of an incident, newest first, with their current names. */
export async function listKeysOfIncident(
  db: Db | Tx,
  { accountId, uuid }: IncidentReference,
): Promise<(IncidentKeyRow & { uuid: string; name: string })[]> {
  const rows = await db
    .select({ row: incidentKeys, uuid: apiKeys.uuid, name: apiKeys.name })
    .from(incidentKeys)
    .innerJoin(
      apiKeys,
      columnsEqual(apiKeys, { accountId: incidentKeys.accountId, id: incidentKeys.apiKeyId }),
    )
    .where(columnsEqual(incidentKeys, { accountId, incidentUuid: uuid }))
    .orderBy(desc(incidentKeys.apiKeyId));
  return rows.map(({ row, ...key }) => ({ ...row, ...key }));
}

/** How many keys of each of these incidents have which result. */
export async function countResults(
  db: Db | Tx,
  accountId: AccountId,
  uuids: readonly string[],
): Promise<{ incidentUuid: string; result: IncidentResult; keys: number }[]> {
  if (uuids.length === 0) return [];
  return await db
    .select({
      incidentUuid: incidentKeys.incidentUuid,
      result: incidentKeys.result,
      keys: count(),
    })
    .from(incidentKeys)
    .where(
      and(eq(incidentKeys.accountId, accountId), inArray(incidentKeys.incidentUuid, [...uuids])),
    )
    .groupBy(incidentKeys.incidentUuid, incidentKeys.result);
}

/** The running incidents of all accounts, for the worker that advances them. */
export async function listRunningIncidents(
  db: Db,
): Promise<(IncidentRow & { accountId: AccountId })[]> {
  const rows = await db
    .select()
    .from(incidents)
    .where(and(eq(incidents.state, 'running'), isAccountNotDeleted(incidents.accountId)))
    .orderBy(asc(incidents.createdAt));
  return rows.map((row) => ({ ...row, accountId: mintAccountId(row.accountId) }));
}

/** The keys of an incident that still wait, newest first. */
export async function listWaitingKeys(
  db: Db | Tx,
  { accountId, uuid }: IncidentReference,
  limit: number,
): Promise<number[]> {
  const rows = await db
    .select({ apiKeyId: incidentKeys.apiKeyId })
    .from(incidentKeys)
    .where(columnsEqual(incidentKeys, { accountId, incidentUuid: uuid, result: 'waiting' }))
    .orderBy(desc(incidentKeys.apiKeyId))
    .limit(limit);
  return rows.map(({ apiKeyId }) => apiKeyId);
}

/** Records the result of a waiting key; false if the key no longer waits. */
export async function recordIncidentResult(
  tx: Tx,
  { accountId, uuid }: IncidentReference,
  {
    apiKeyId,
    ...outcome
  }: { apiKeyId: number; result: IncidentResult; problem: string | null; at: Date },
): Promise<boolean> {
  const settled = await tx
    .update(incidentKeys)
    .set(outcome)
    .where(
      columnsEqual(incidentKeys, { accountId, incidentUuid: uuid, apiKeyId, result: 'waiting' }),
    )
    .returning({ one: sql`1` });
  return settled.length > 0;
}

/** Marks the keys that still wait as cancelled. @returns how many */
export async function cancelWaitingKeys(
  tx: Tx,
  { accountId, uuid }: IncidentReference,
  at: Date,
): Promise<number> {
  const cancelled = await tx
    .update(incidentKeys)
    .set({ result: 'cancelled', at })
    .where(columnsEqual(incidentKeys, { accountId, incidentUuid: uuid, result: 'waiting' }))
    .returning({ one: sql`1` });
  return cancelled.length;
}

export async function updateIncidentRow(
  tx: Tx,
  incident: IncidentReference,
  change: Partial<typeof incidents.$inferInsert>,
): Promise<void> {
  await tx.update(incidents).set(change).where(isIncident(incident));
}

/** Removes the incidents of all accounts that ended before a moment. */
export async function deleteIncidentsBefore(db: Db, before: Date): Promise<void> {
  await db
    .delete(incidents)
    .where(
      and(ne(incidents.state, 'running'), sql`${incidents.finishedAt} < ${before.toISOString()}`),
    );
}

function isIncident({ accountId, uuid }: IncidentReference) {
  return columnsEqual(incidents, { accountId, uuid });
}
