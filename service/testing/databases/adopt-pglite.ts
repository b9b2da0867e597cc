import type { PGlite } from '@electric-sql/pglite';
import { CrashWatch } from '../../db/embedded/client/connection.ts';
import { EmbeddedClient } from '../../db/embedded/client/embedded-client.ts';
import type { Connection } from '../../db/embedded/client/connection.ts';
import { createExecutor } from '../../db/embedded/execute-messages.ts';
import { useConnection } from '../../db/embedded/open-pglite.ts';
import { asOne } from '../../db/open.ts';
import type { OpenDatabase } from '../../db/open.ts';
import type { Logger } from '../../log/log.ts';

/** A PGlite that is open and migrated already, as a database of the service. */
export function adoptPglite(pglite: PGlite, log: Logger): OpenDatabase {
  const connection = connectDirectly(pglite);
  return asOne(useConnection(connection, new EmbeddedClient(connection.send, pglite), log));
}

/** Without a thread of its own, which a test of a second would wait for. */
export function connectDirectly(pglite: PGlite): Connection {
  const execute = createExecutor(pglite);
  const watch = new CrashWatch();
  return {
    send: async (message) => watch.bytesOf(await execute(message)),
    onCrash(fn) {
      watch.onCrash(fn);
    },
    async close() {
      // One that crashed must not write its last checkpoint.
      if (watch.crash === null) await pglite.close();
    },
  };
}
