import { expect, test } from 'vitest';
import { addMigratedDatabase } from '../../testing/databases/migrated-data-folder.ts';
import { TestLog } from '../../testing/logger.ts';
import { runEndingService } from '../../testing/processes/service-process.ts';
import { openDatabase } from '../open.ts';
import { settings } from '../schema/settings.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';

test('a second service on a folder in use does not start, names the first, and does not disturb it', async () => {
  const folder = temporaryFolder();
  const log = new TestLog();
  await addMigratedDatabase(folder);
  const first = await openDatabase({
    config: { databaseUrl: null, migrationDatabaseUrl: null, dataDir: folder },
    log: log.logger,
  });
  const { exitCode, output } = await runEndingService({ DATA_DIR: folder });
  expect(exitCode).toBe(1);
  expect(output).toContain(`The data folder ${folder} is in use by process ${process.pid} on `);
  expect(output).not.toContain('Ready:');
  await first.db.insert(settings).values({ name: 'written', value: 1 });
  await first.close();
  log.assertNoUnexpectedErrors();
}, 120_000);
