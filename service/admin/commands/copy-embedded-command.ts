import { explainStartFailure } from '../../boot/explain-start-failure.ts';
import type { Config } from '../../config/load-config.ts';
import { copyDatabase } from '../../db/copy-database.ts';
import { openDatabase } from '../../db/open.ts';
import type { OpenDatabase } from '../../db/open.ts';
import type { Logger } from '../../log/log.ts';
import { checkSecretKeys, loadSecretKeys } from '../../secrets/secret-key.ts';
import { countOf } from '#lib/count.ts';
import { switchToFolderOwner } from '../switch-to-folder-owner.ts';
import { done, failed } from '../outcome.ts';
import type { AdminOutcome, CommandReader } from '../outcome.ts';

/**
 * Always refuses. Without DATABASE_URL, a running service may receive the commands, and this one
 * needs a stopped service. With DATABASE_URL, `copyEmbedded` runs instead.
 */
export const readCopyEmbedded: CommandReader = (args) =>
  args.length > 0
    ? 'copy-embedded takes no arguments.'
    : async () =>
        failed(
          'Set DATABASE_URL to an empty PostgreSQL database, and SECRET_KEY to the content of the file secret-key in DATA_DIR. Then stop the service, and run the command again.',
        );

/**
 * Copies the embedded database in DATA_DIR to the one in DATABASE_URL. It opens both itself: other
 * commands run on a single database, which has an installation already.
 */
export async function copyEmbedded(config: Config, log: Logger): Promise<AdminOutcome> {
  const { dataDir } = config;
  await switchToFolderOwner(dataDir);
  const embedded = await openEmbedded(config, log);
  try {
    // Before the target is opened, so that it gets no tables if the key is another one.
    const current = { ...config, secretKeyPrevious: null };
    await checkSecretKeys(embedded.db, await loadSecretKeys(current, embedded.db), log);
    const target = await openDatabase({ config, log, patienceMs: 0 });
    try {
      const copied = await copyDatabase({ from: embedded.db, to: target.maintenanceDb });
      return copied === null
        ? failed('The database in DATABASE_URL already has data. Create an empty one for the copy.')
        : done(
            `Copied ${countOf(copied, 'row')} from ${dataDir} to PostgreSQL. Start the service with the same settings. The data in ${dataDir} was not changed.`,
          );
    } finally {
      await target.close();
    }
  } finally {
    await embedded.close();
  }
}

async function openEmbedded(config: Config, log: Logger): Promise<OpenDatabase> {
  const place = { ...config, databaseUrl: null, migrationDatabaseUrl: null };
  try {
    return await openDatabase({ config: place, log, mustExist: true });
  } catch (error) {
    // Otherwise it would be taken for a failure of the PostgreSQL server.
    throw explainStartFailure(error, place) ?? error;
  }
}
