import type { PGlite } from '@electric-sql/pglite';
import { usePglite } from '../../db/embedded/open-pglite.ts';
import { asOne } from '../../db/open.ts';
import type { OpenDatabase } from '../../db/open.ts';
import type { Logger } from '../../log/log.ts';

/** A PGlite that is open and migrated already, as a database of the service. */
export function adoptPglite(pglite: PGlite, log: Logger): OpenDatabase {
  return asOne(usePglite(pglite, log));
}
