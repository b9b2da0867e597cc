import { getTableName, sql } from 'drizzle-orm';
import type { Logger } from '../log.ts';
import type { Db } from './open.ts';
import {
  apiKeys,
  apiKeyTokens,
  auditEntries,
  conversations,
  events,
  idempotentAnswers,
  messages,
  sessions,
  webhooks,
} from './schema.ts';

const checkpointEveryMs = 60_000;
const vacuumEveryMs = 600_000;

/** The tables whose rows are rewritten or added with use. */
const hotTables = [
  apiKeyTokens,
  apiKeys,
  webhooks,
  sessions,
  conversations,
  messages,
  events,
  idempotentAnswers,
  auditEntries,
];

export type Maintenance = { stop(): Promise<void> };

/**
 * Does for the embedded database what a server's own processes do elsewhere: checkpoints, so that
 * its log is reused rather than growing, and vacuum, so that dead rows are.
 */
export function startMaintenance(options: { db: Db; log: Logger }): Maintenance {
  const { db, log } = options;
  const checkpointer = createCheckpointer(db);
  let running: Promise<void> = Promise.resolve();

  function schedule(name: string, everyMs: number, act: () => Promise<void>): NodeJS.Timeout {
    const timer = setInterval(() => {
      running = running
        .then(act)
        .catch((error: unknown) => log.error({ err: error }, `${name} failed`));
    }, everyMs);
    return timer.unref();
  }

  const timers = [
    schedule('checkpoint', checkpointEveryMs, async () => void (await checkpointer.run())),
    schedule('vacuum', vacuumEveryMs, () => vacuumHotTables(db)),
  ];
  return {
    async stop() {
      timers.forEach(clearInterval);
      await running;
    },
  };
}

/** Checkpoints if anything was written since the last time; says whether it did. */
export function createCheckpointer(db: Db): { run(): Promise<boolean> } {
  let lastPosition = '';
  const position = async () => {
    const { rows } = await db.execute<{ lsn: string }>(
      sql`select pg_current_wal_lsn()::text as lsn`,
    );
    return rows[0]?.lsn ?? '';
  };
  return {
    async run() {
      if ((await position()) === lastPosition) return false;
      await db.execute(sql`checkpoint`);
      // Read after it, since a checkpoint itself moves the position.
      lastPosition = await position();
      return true;
    },
  };
}

/** One table at a time, so that calls get their turn on the one connection between two. */
export async function vacuumHotTables(db: Db): Promise<void> {
  for (const table of hotTables) {
    await db.execute(sql`vacuum (analyze) ${sql.identifier(getTableName(table))}`);
  }
}
