import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { addMigratedDatabase } from '../testing/databases/migrated-data-folder.ts';
import { errorsIn, runEndingService } from '../testing/processes/service-process.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';

const stoppedStart = new URL('../testing/processes/preloads/stopped-start.ts', import.meta.url);
const killedMigration = new URL(
  '../testing/processes/preloads/killed-migration.ts',
  import.meta.url,
);

test('a service that is told to stop while it starts ends with 0 and logs no error', async () => {
  const folder = temporaryFolder();
  await addMigratedDatabase(folder);
  const { exitCode, output } = await runEndingService({ DATA_DIR: folder }, stoppedStart);
  expect(errorsIn(output)).toEqual([]);
  expect(output).not.toContain('Ready:');
  expect(exitCode).toBe(0);
}, 120_000);

test('a service that is killed in the middle of the migration migrates from the beginning when it starts again', async () => {
  const environment = {
    DATA_DIR: temporaryFolder(),
    INIT_ADMIN_EMAIL: 'ida@example.com',
    INIT_ADMIN_PASSWORD: randomBytes(12).toString('hex'),
  };
  const killed = await runEndingService(environment, killedMigration);
  expect(killed).toEqual({ exitCode: null, output: '' });
  // Stopped when it has migrated its database.
  const { exitCode, output } = await runEndingService(environment, stoppedStart);
  expect(errorsIn(output)).toEqual([]);
  expect(exitCode).toBe(0);
}, 120_000);
