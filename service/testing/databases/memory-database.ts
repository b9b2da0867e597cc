import type { PGlite } from '@electric-sql/pglite';
import { serialize } from 'pg-protocol';
import { adoptPglite } from './adopt-pglite.ts';
import type { OpenDatabase } from '../../db/open.ts';
import type { Logger } from '../../log/log.ts';
import { createMemoryPglite } from './memory-pglite.ts';

/** An emptied embedded database that is not in use. */
type Idle = { pglite: PGlite; empty: () => Promise<boolean> };

const idle: Idle[] = [];

const timers: Pick<typeof globalThis, 'setTimeout'> = globalThis;

/** Stored, because a test may have replaced the global one when an idle database sets a timer. */
const realSetTimeout = timers.setTimeout;

/**
 * A migrated database in memory. Creating one takes much longer than emptying one, so a closed
 * database is emptied and reused by the next caller in this process. Queries after a close are
 * refused, as with any closed database.
 */
export async function openMemoryDatabase(log: Logger): Promise<OpenDatabase> {
  const { pglite, empty } = idle.pop() ?? (await createIdle());
  await pglite.exec('reset statement_timeout');
  const lent = lend(pglite);
  const database = adoptPglite(lent.pglite, log);
  let isCrashed = false;
  database.onCrash(() => {
    isCrashed = true;
  });
  return {
    ...database,
    async close() {
      if (isCrashed) {
        await database.close();
        return;
      }
      await lent.takeBack();
      if (await empty()) idle.push({ pglite, empty });
      else await pglite.close();
    },
  };
}

async function createIdle(): Promise<Idle> {
  const pglite = await createMemoryPglite();
  const { rows } = await pglite.query<{ name: string }>(
    `select quote_ident(tablename) as name from pg_tables where schemaname = 'public'`,
  );
  const tables = rows.map(({ name }) => name).join(', ');
  const schema = await describeSchema(pglite);
  return {
    pglite,
    async empty() {
      // Without this, a trigger refuses to remove audit entries.
      await pglite.exec('set session_replication_role = replica');
      await pglite.exec(`truncate ${tables} restart identity`);
      await pglite.exec('discard all');
      // Otherwise its log grows in memory from one test to the next.
      await pglite.exec('checkpoint');
      const isSame = (await describeSchema(pglite)) === schema;
      await releaseTimer(pglite);
      return isSame;
    },
  };
}

/**
 * PostgreSQL keeps a timer while a session is idle, which must not keep this process alive. It is
 * replaced by an earlier one that is unreferenced, like all that follow it.
 */
async function releaseTimer(pglite: PGlite): Promise<void> {
  await pglite.exec('set statement_timeout = 1');
  withUnrefTimers(() => pglite.execProtocolRawSync(serialize.query('select 1')));
}

/** Makes sure that no timer set during the act, or by such a timer, keeps the process alive. */
function withUnrefTimers(act: () => unknown): void {
  const usual = timers.setTimeout;
  const unrefTimeout = (callback: () => void, ms?: number) =>
    realSetTimeout(() => withUnrefTimers(callback), ms).unref();
  timers.setTimeout = Object.assign(unrefTimeout, realSetTimeout) as typeof usual;
  try {
    act();
  } finally {
    timers.setTimeout = usual;
  }
}

/** A text that changes if anything is added to the schema or removed. */
async function describeSchema(pglite: PGlite): Promise<string> {
  const { rows } = await pglite.query(
    `select (select count(*) from pg_class) as classes,
       (select count(*) from pg_attribute where not attisdropped) as columns,
       (select count(*) from pg_constraint) as constraints,
       (select count(*) from pg_trigger) as triggers,
       (select count(*) from pg_proc) as functions`,
  );
  return JSON.stringify(rows);
}

/** Lends the database until it is taken back. Then all changes to the object itself are undone. */
function lend(pglite: PGlite): { pglite: PGlite; takeBack: () => Promise<void> } {
  const { _PostgresMainLoopOnce, stackRestore } = pglite.Module;
  const own = new Set(Object.keys(pglite));
  const channels = new Set<string>();
  let isLent = true;
  const borrowed = new Proxy(pglite, {
    get(target, name) {
      if (!isLent) throw new Error('This database was closed.');
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function' || name === 'constructor') return value;
      if (name !== 'listen') return value.bind(target) as unknown;
      return async (...args: Parameters<PGlite['listen']>) => {
        channels.add(args[0]);
        return await target.listen(...args);
      };
    },
  });
  return {
    pglite: borrowed,
    async takeBack() {
      isLent = false;
      for (const channel of channels) await pglite.unlisten(channel);
      for (const name of Object.keys(pglite)) {
        if (!own.has(name)) Reflect.deleteProperty(pglite, name);
      }
      Object.assign(pglite.Module, { _PostgresMainLoopOnce, stackRestore });
    },
  };
}
