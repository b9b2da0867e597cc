import { and, asc, count, desc, eq, isNotNull, lt, lte, min, ne, or, sql } from 'drizzle-orm';
import type { Db } from '../../db/open.ts';
import { processes, repairs } from '../../db/schema/installation.ts';
import { notices } from '../../db/schema/people/notices.ts';
import { sqlInstant } from '../../db/statements/instants.ts';

// What concerns the installation as a whole: nothing here takes an account.

export type ProcessRow = typeof processes.$inferSelect;

/**
 * Records a sign of life, and removes processes that have ended without removing themselves: those
 * that this one replaces, which ran on the same machine with the same roles and were silent before
 * it started, and those that nobody replaced for a day.
 *
 * @param options.isAlone whether no other process can use this database
 */
export async function writeHeartbeat(
  db: Db,
  options: { process: ProcessRow; silentSince: Date; keptSince: Date; isAlone: boolean },
): Promise<void> {
  const { process, isAlone } = options;
  const { id, host, roles, startedAt, seenAt, memoryBytes } = process;
  const { silentSince, keptSince } = options;
  const beat = db
    .insert(processes)
    .values(process)
    .onConflictDoUpdate({ target: processes.id, set: { seenAt, memoryBytes } })
    .returning({ id: processes.id });
  const isReplaced = and(
    eq(processes.host, host),
    eq(processes.roles, roles),
    lt(processes.seenAt, sqlInstant(silentSince)),
    lte(processes.seenAt, sqlInstant(startedAt)),
  );
  await db
    .with(db.$with('beat').as(beat))
    .delete(processes)
    .where(
      and(
        ne(processes.id, id),
        or(sql`${isAlone}`, lt(processes.seenAt, sqlInstant(keptSince)), isReplaced),
      ),
    );
}

export async function deleteProcess(db: Db, id: string): Promise<void> {
  await db.delete(processes).where(eq(processes.id, id));
}

export async function listProcesses(db: Db): Promise<ProcessRow[]> {
  return await db
    .select()
    .from(processes)
    .orderBy(asc(processes.host), asc(processes.startedAt), asc(processes.id));
}

/** The newest first. */
export async function listRepairs(db: Db, limit: number) {
  return await db.select().from(repairs).orderBy(desc(repairs.at), desc(repairs.id)).limit(limit);
}

/** In one statement: there are few, because processes rarely die. */
export async function deleteRepairsBefore(db: Db, before: Date): Promise<void> {
  await db.delete(repairs).where(lt(repairs.at, before));
}

/** Emails that were created before a moment and that no mail server has accepted yet. */
export async function countWaitingEmails(db: Db, createdBefore: Date) {
  const { nextAttemptAt, createdAt } = notices;
  const [row] = await db
    .select({ waiting: count(), since: min(createdAt), nextAttemptAt: min(nextAttemptAt) })
    .from(notices)
    .where(and(isNotNull(nextAttemptAt), lte(createdAt, createdBefore)));
  return row ?? { waiting: 0, since: null, nextAttemptAt: null };
}

/**
 * How many deliveries wait for something other than a worker: their webhook is inactive or, with
 * `isAllHeld`, none is sent. It steps through the index of pending deliveries from one webhook to
 * the next, and counts no further than `limit`.
 */
export async function countHeldDeliveries(
  db: Db,
  { isAllHeld, limit }: { isAllHeld: boolean; limit: number },
): Promise<number> {
  const firstPending = (condition = sql`true`) => sql`
    select webhook_id from deliveries where status = 'pending' and ${condition}
    order by webhook_id, due_at, event_id limit 1`;
  const { rows } = await db.execute<{ held: number }>(sql`
    with recursive pending as (
      (${firstPending()})
      union all
      select next.* from pending, lateral (
        ${firstPending(sql`deliveries.webhook_id > pending.webhook_id`)}
      ) as next
    )
    select count(*)::int as held from (
      select from pending
      join lanes using (webhook_id)
      join lateral (
        select from deliveries
        where status = 'pending' and deliveries.webhook_id = pending.webhook_id
        limit ${limit}::int
      ) as held on true
      where ${isAllHeld} or lanes.is_paused
      limit ${limit}::int
    ) as held`);
  return rows[0]?.held ?? 0;
}

export type DatabaseFacts = {
  version: string;
  sizeBytes: number;
  connections: { service: number; all: number; max: number };
};

export async function readDatabaseFacts(db: Db): Promise<DatabaseFacts> {
  const { rows } = await db.execute<
    Omit<DatabaseFacts, 'connections'> & DatabaseFacts['connections']
  >(sql`
    select split_part(current_setting('server_version'), ' ', 1) as version,
      pg_database_size(current_database())::float8 as "sizeBytes",
      current_setting('max_connections')::int as max,
      count(*) filter (
        where datname = current_database() and application_name like 'conversation-service%'
      )::int as service,
      count(*)::int as all
    from pg_stat_activity where backend_type = 'client backend'`);
  const [row] = rows;
  if (!row) throw new Error('the facts of the database were not read');
  const { version, sizeBytes, ...connections } = row;
  return { version, sizeBytes, connections };
}
