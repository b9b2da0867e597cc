import { registerHooks } from 'node:module';

// Loaded before `service/main.ts` in a separate process, which ends as with `kill -9` in the middle
// of the migration.
registerHooks({
  load(url, context, nextLoad) {
    if (!url.endsWith('/drizzle-orm/pglite/migrator.js')) return nextLoad(url, context);
    return { format: 'module', shortCircuit: true, source: killedMigration };
  },
});

const killedMigration = `
  export async function migrate(db) {
    await db.execute('create table api_keys (id int)');
    process.kill(process.pid, 'SIGKILL');
    await new Promise(() => undefined);
  }`;
