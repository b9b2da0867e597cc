import { registerHooks } from 'node:module';

// Loaded before `service/main.ts` in a separate process: the process is asked to stop while its
// start uses the database, and the start goes on until the database is closed.
registerHooks({
  load(url, context, nextLoad) {
    if (!url.endsWith('/domain/lanes/statements/free-all-leases.ts')) return nextLoad(url, context);
    return { format: 'module', shortCircuit: true, source: stoppedStart };
  },
});

const stoppedStart = `
  import { sql } from 'drizzle-orm';
  export async function freeAllLeases({ db }) {
    process.kill(process.pid, 'SIGTERM');
    for (;;) await db.execute(sql.raw('select 1'));
  }`;
