import { sql } from 'drizzle-orm';
import type { Logger } from '../log/log.ts';
import type { Db } from './open.ts';
import { settings } from './schema/settings.ts';

/** A probe that rejects while the database refuses writes; logs the first failure and recovery. */
export function createWriteProbe({ db, log }: { db: Db; log: Logger }): () => Promise<void> {
  let isFailing = false;
  return async () => {
    try {
      await probeWrite(db);
    } catch (error) {
      if (!isFailing) log.error({ err: error }, 'the database does not accept writes');
      isFailing = true;
      throw error;
    }
    if (isFailing) log.info('the database accepts writes again');
    isFailing = false;
  };
}

/**
 * Writes a row, and computes more rows than fit into `work_mem`, so that a temporary file is
 * needed. On a full disk a row may still fit into an existing page, but a new file does not.
 */
async function probeWrite(db: Db): Promise<void> {
  const value = sql`to_jsonb(now())`;
  await db.transaction(async (tx) => {
    await tx.execute(sql`set local work_mem = '64kB'`);
    await tx.execute(sql`select count(*) from generate_series(1, 10000)`);
    await tx
      .insert(settings)
      .values({ name: 'write_probe', value })
      .onConflictDoUpdate({ target: settings.name, set: { value } });
  });
}
