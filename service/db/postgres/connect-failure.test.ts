import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { listenOnLoopback, unusedPort } from '#lib/testing/loopback.ts';
import { refusal } from '../../testing/databases/refusal.ts';
import { TestLog } from '../../testing/logger.ts';
import { openPostgres } from './open-postgres.ts';

/**
 * The error message for the operator, if a server responds to the driver's messages in this way.
 */
async function failureOf(options: {
  response: Buffer | null;
  query?: string;
  isMigrationUrl?: boolean;
}): Promise<string> {
  const closed: Promise<unknown>[] = [];
  const server = createServer((socket) => {
    closed.push(
      once(
        socket.on('error', () => undefined),
        'close',
      ),
    );
    socket.on('data', () =>
      options.response === null ? socket.destroy() : socket.write(options.response),
    );
  });
  const port = await listenOnLoopback(server);
  const message = await openingFailure(port, options);
  server.close();
  await Promise.all(closed);
  return message.replaceAll(String(port), 'PORT');
}

async function openingFailure(
  port: number,
  { query = '', isMigrationUrl = false }: { query?: string; isMigrationUrl?: boolean },
): Promise<string> {
  const url = `postgres://app:wrong-password@127.0.0.1:${port}/app${query}`;
  const opening = openPostgres({
    databaseUrl: isMigrationUrl ? 'postgres://127.0.0.1:9/app' : url,
    migrationDatabaseUrl: url,
    log: new TestLog().logger,
    patienceMs: 0,
  });
  const error: unknown = await opening.catch((failure: unknown) => failure);
  expect(error).toMatchObject({ name: 'ConnectFailure' });
  return error instanceof Error ? error.message : '';
}

const wrongPassword = refusal('28P01', 'password authentication failed for user "app"');

test.each([
  [
    'a wrong password',
    wrongPassword,
    'password authentication failed for user "app". Correct the user or the password in DATABASE_URL, or allow this user to connect.',
  ],
  [
    'a user that may not connect from here',
    refusal('28000', 'no pg_hba.conf entry for host "127.0.0.1"'),
    'no pg_hba.conf entry for host "127.0.0.1". Correct the user or the password in DATABASE_URL, or allow this user to connect.',
  ],
  [
    'a database that does not exist',
    refusal('3D000', 'database "app" does not exist'),
    'database "app" does not exist. Create the database, or correct its name in DATABASE_URL.',
  ],
  [
    'a server without a free connection',
    refusal('53300', 'sorry, too many clients already'),
    'sorry, too many clients already. End other connections, or raise max_connections of the server.',
  ],
  [
    'a pooler that refuses a parameter of the address',
    refusal('08P01', 'unsupported startup parameter: options'),
    'unsupported startup parameter: options. Leave the parameter out of DATABASE_URL.',
  ],
  [
    'a server that hangs up',
    null,
    'Connection terminated unexpectedly. Check that the server runs and that DATABASE_URL has its host and port.',
  ],
])('%s is explained in one sentence', async (_, response, sentence) => {
  const message = await failureOf({ response });
  expect(message).toBe(`Cannot connect to PostgreSQL: ${sentence}`);
  expect(message).not.toContain('wrong-password');
});

const certificatePath =
  'Correct the path in sslrootcert, sslcert or sslkey of DATABASE_URL, or let this user read the file.';

test.each([
  [
    'a server without TLS',
    '?sslmode=verify-full',
    'The server does not support SSL connections. Correct sslmode in DATABASE_URL, or the certificate of the server.',
  ],
  [
    'a missing certificate file',
    '?sslrootcert=/missing/ca.pem',
    `ENOENT: no such file or directory, open '/missing/ca.pem'. ${certificatePath}`,
  ],
  [
    'a folder in place of a certificate file',
    `?sslrootcert=${tmpdir()}`,
    `EISDIR: illegal operation on a directory, read. ${certificatePath}`,
  ],
])('%s is explained in one sentence', async (_what, query, sentence) => {
  const message = await failureOf({ response: Buffer.from('N'), query });
  expect(message).toBe(`Cannot connect to PostgreSQL: ${sentence}`);
});

test('the message names the setting with the address', async () => {
  expect(await failureOf({ response: wrongPassword, isMigrationUrl: true })).toContain(
    'Correct the user or the password in MIGRATION_DATABASE_URL',
  );
});

test('a closed port is explained in one sentence', async () => {
  const port = await unusedPort();
  expect(await openingFailure(port, {})).toBe(
    `Cannot connect to PostgreSQL: connect ECONNREFUSED 127.0.0.1:${port}. Check that the server runs and that DATABASE_URL has its host and port.`,
  );
});
