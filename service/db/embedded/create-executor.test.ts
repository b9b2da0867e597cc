import { expect, test } from 'vitest';
import { createMemoryPglite } from '../../testing/databases/memory-pglite.ts';
import { TestLog } from '../../testing/logger.ts';
import { unrefTimers } from '../../testing/processes/unref-timers.ts';
import { adoptPglite } from '../../testing/databases/adopt-pglite.ts';

test('a WebAssembly fault ends the database, and later calls fail immediately', async () => {
  unrefTimers();
  const pglite = await createMemoryPglite();
  const takeMessage = pglite.Module._PostgresMainLoopOnce;
  let isFaulty = false;
  pglite.Module._PostgresMainLoopOnce = () => {
    if (isFaulty) throw new WebAssembly.RuntimeError('unreachable');
    takeMessage();
  };
  const log = new TestLog();
  const database = adoptPglite(pglite, log.logger);
  const crashes: Error[] = [];
  database.onCrash((cause) => crashes.push(cause));
  await expect(database.db.execute('select nothing')).rejects.toThrow();
  await database.ping();
  expect(crashes).toEqual([]);

  isFaulty = true;
  const crash = { code: '57P02', message: 'The embedded database has crashed.' };
  await expect(database.ping()).rejects.toMatchObject(crash);
  expect(crashes).toMatchObject([{ ...crash, cause: { message: 'unreachable' } }]);
  isFaulty = false;
  await expect(database.ping()).rejects.toMatchObject(crash);
  await database.close();
  expect(crashes).toHaveLength(1);
}, 60_000);
