import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { beforeAll, expect, test } from 'vitest';
import { keepMigratedDatabase } from '../../../testing/databases/migrated-data-folder.ts';
import { EmbeddedClient } from '../client/embedded-client.ts';
import { loadValueTypes } from '../client/value-types.ts';
import { startDatabaseThread } from './start-database-thread.ts';
import { useTemporaryFolder } from '../../../testing/temporary-folder.ts';

const startParams = PGlite.defaultStartParams;
const folder = join(useTemporaryFolder(), 'pglite');
beforeAll(async () => {
  cpSync(await keepMigratedDatabase(), folder, { recursive: true });
});

test('a database in a thread returns each result to its caller, and keeps what was written', async () => {
  const first = await startDatabaseThread({ folder, startParams, isOptimized: true });
  const client = new EmbeddedClient(first.send, await loadValueTypes(first.send));
  const numbers = Array.from({ length: 2500 }, (_, number) => number);
  const echo = async (number: number) => {
    const { rows } = await client.query('select $1::int as number, $2::int[] as array', [
      number,
      [number, 0],
    ]);
    return rows;
  };
  await echo(-1);
  expect(await Promise.all(numbers.map(echo))).toEqual(
    numbers.map((number) => [{ number, array: [number, 0] }]),
  );
  const failing = numbers.slice(0, 5).map((number) => client.query('select 1 / $1::int', [number]));
  expect((await Promise.allSettled(failing)).map(({ status }) => status)).toEqual([
    'rejected',
    ...Array<string>(4).fill('fulfilled'),
  ]);
  await client.query('create table kept as select 7 as number');
  await first.close();
  await expect(client.query('select 1')).rejects.toThrow('The embedded database is closed.');

  const second = await startDatabaseThread({ folder, startParams, isOptimized: true });
  const later = new EmbeddedClient(second.send, await loadValueTypes(second.send));
  expect((await later.query('select number from kept')).rows).toEqual([{ number: 7 }]);
  await second.close();
}, 60_000);

/** A thread that opens no database and ends when it gets its first message. */
function endingScript(): URL {
  const code = `import { parentPort } from 'node:worker_threads';
    parentPort.on('message', () => process.exit());
    parentPort.postMessage({ type: 'opened' });`;
  return new URL(`data:text/javascript,${encodeURIComponent(code)}`);
}

test('a thread that ends by itself is a crash: waiting and later calls are rejected', async () => {
  const connection = await startDatabaseThread(
    { folder, startParams, isOptimized: true },
    endingScript(),
  );
  const crashes: Error[] = [];
  connection.onCrash((cause) => crashes.push(cause));

  const crash = { code: '57P02', cause: { message: 'Its thread has ended.' } };
  await expect(connection.send(new Uint8Array(1))).rejects.toMatchObject(crash);
  await expect(connection.send(new Uint8Array(1))).rejects.toMatchObject(crash);
  expect(crashes).toMatchObject([crash]);
  await connection.close();
});

test('closing does not wait forever for a thread that ends without a response', async () => {
  const connection = await startDatabaseThread(
    { folder, startParams, isOptimized: true },
    endingScript(),
  );
  await expect(connection.close()).resolves.toBeUndefined();
});
