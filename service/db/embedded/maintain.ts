import { getTableName, sql } from 'drizzle-orm';
import type { Logger } from '../../log/log.ts';
import { repeat } from '../../repeat.ts';
import type { Repetition } from '../../repeat.ts';
import type { Db } from '../open.ts';
import { apiKeyTokens } from '../schema/api-key-tokens.ts';
import { apiKeys } from '../schema/api-keys.ts';
import { auditEntries, auditHeads } from '../schema/audit.ts';
import { conversations, messages } from '../schema/conversations.ts';
import { attempts, deliveries } from '../schema/deliveries.ts';
import { events } from '../schema/events.ts';
import { idempotentAnswers } from '../schema/idempotent-answers.ts';
import { lanes } from '../schema/lanes.ts';
import { replays } from '../schema/replays.ts';
import { sessions } from '../schema/sessions.ts';
import { webhooks } from '../schema/webhooks.ts';

/**
 * A checkpoint comes each minute in which something was written. Under a fast writer a minute is
 * too long: the log, which is twice and more of what is written, takes its greatest length between
 * two checkpoints and keeps it. So its growth is looked at in between.
 */
const lookEveryMs = 1000;
const looksPerCheckpoint = 60;
const mostBytesLogged = 64 * 1024 * 1024;
const vacuumEveryMs = 600_000;
/** Of a smaller table, any plan is a good one. */
const leastRows = 500;

/** The tables whose rows are rewritten or added with use. */
const hotTables = [
  apiKeyTokens,
  apiKeys,
  webhooks,
  sessions,
  conversations,
  messages,
  events,
  deliveries,
  attempts,
  lanes,
  replays,
  idempotentAnswers,
  auditEntries,
  auditHeads,
];

/**
 * Does for the embedded database what a server's own processes do elsewhere: checkpoints, so that
 * its log is reused rather than growing, vacuum, so that dead rows are, and analyze, so that plans suit
 * the size of the tables.
 */
export function startMaintenance(options: { db: Db; log: Logger }): Repetition {
  const checkpointer = createCheckpointer(options.db);
  let looks = 0;
  // Separate jobs: between two tables of a long vacuum a checkpoint gets its turn.
  const jobs = [
    repeat({
      log: options.log,
      failure: 'checkpoint failed',
      everyMs: lookEveryMs,
      async act() {
        looks += 1;
        await checkpointer.run(looks % looksPerCheckpoint === 0 ? 1 : mostBytesLogged);
      },
    }),
    repeat({
      log: options.log,
      failure: 'analyze failed',
      everyMs: lookEveryMs,
      async act() {
        await analyzeGrownTables(options.db);
      },
    }),
    repeat({
      log: options.log,
      failure: 'vacuum failed',
      everyMs: vacuumEveryMs,
      act: () => vacuumHotTables(options.db),
    }),
  ];
  return {
    async stop() {
      await Promise.all(jobs.map((job) => job.stop()));
    },
  };
}

/** Checkpoints if at least `leastBytes` were logged since the last one; returns whether it did. */
export function createCheckpointer(db: Db): { run(leastBytes?: number): Promise<boolean> } {
  let lastPosition = 0;
  const position = async () => {
    const { rows } = await db.execute<{ bytes: number }>(
      sql`select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as bytes`,
    );
    return rows[0]?.bytes ?? 0;
  };
  return {
    async run(leastBytes = 1) {
      if ((await position()) - lastPosition < leastBytes) return false;
      await db.execute(sql`checkpoint`);
      // Read after it, since a checkpoint itself moves the position.
      lastPosition = await position();
      return true;
    },
  };
}

/**
 * Analyzes the hot tables that have half as many rows again as when they were last analyzed. Until
 * then statements keep plans for a small table, which read all of it.
 *
 * @returns the names of these tables
 */
export async function analyzeGrownTables(db: Db): Promise<string[]> {
  const { rows } = await db.execute<{ name: string }>(sql`
    select relname::text as name from pg_class
    where relnamespace = 'public'::regnamespace
      and relname = any (${`{${hotTables.map(getTableName).join(',')}}`}::text[])
      and pg_stat_get_live_tuples(oid) > ${leastRows}::int + 1.5 * greatest(reltuples, 0)`);
  for (const { name } of rows) await db.execute(sql`analyze ${sql.identifier(name)}`);
  return rows.map(({ name }) => name);
}

/** One table at a time, so that calls get their turn on the one connection between two. */
export async function vacuumHotTables(db: Db): Promise<void> {
  for (const table of hotTables) {
    await db.execute(sql`vacuum (analyze) ${sql.identifier(getTableName(table))}`);
  }
}
