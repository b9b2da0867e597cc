import type { PGlite } from '@electric-sql/pglite';
import { CrashWatch } from '../../db/embedded/client/connection.ts';
import { EmbeddedClient } from '../../db/embedded/client/embedded-client.ts';
import type { Connection } from '../../db/embedded/client/connection.ts';
import { createExecutor } from '../../db/embedded/create-executor.ts';
import { createEmbeddedDatabase } from '../../db/embedded/open-pglite.ts';
import { asOpenDatabase } from '../../db/open.ts';
import type { OpenDatabase } from '../../db/open.ts';
import type { Logger } from '../../log/log.ts';

/** Makes an open, migrated PGlite a database of the service. */
export function adoptPglite(pglite: PGlite, log: Logger): OpenDatabase {
  const connection = connectDirectly(pglite);
  return asOpenDatabase(
    createEmbeddedDatabase(connection, new EmbeddedClient(connection.send, pglite), log),
  );
}

/**
 * Runs the database in the calling thread, because starting a thread takes longer than most tests.
 */
export function connectDirectly(pglite: PGlite): Connection {
  const execute = createExecutor(pglite);
  const watch = new CrashWatch();
  return {
    async send(message) {
      const { bytes, crash } = await execute(message);
      if (crash !== null) throw watch.note(crash);
      return bytes;
    },
    onCrash(fn) {
      watch.onCrash(fn);
    },
    async close() {
      // A database that crashed must not write its last checkpoint.
      if (watch.crash === null) await pglite.close();
    },
  };
}
