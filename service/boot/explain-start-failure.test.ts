import { stat, truncate, writeFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openPglite } from '../db/embedded/open-pglite.ts';
import { addMigratedDatabase } from '../testing/databases/migrated-data-folder.ts';
import { silentLog } from '../testing/logger.ts';
import { explainStartFailure } from './explain-start-failure.ts';
import { StartError } from '../start-error.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';

const embedded = { databaseUrl: null, migrationDatabaseUrl: null, dataDir: '/srv/data' };
const onServer = { ...embedded, databaseUrl: 'postgres://db/one' };
const withTwoUsers = { ...onServer, migrationDatabaseUrl: 'postgres://owner@db/one' };
const failed = (code: string, path?: string) => Object.assign(new Error('…'), { code, path });
const inQuery = (code: string | undefined, message = '…') =>
  new Error('Failed query', { cause: Object.assign(new Error(message), { code }) });
const errno = (number: number) => ({ name: 'ErrnoError', errno: number });

const isFull = (code: string) =>
  `The disk that holds the data folder /srv/data is full (${code}). Free some space on it, then try again.`;
const noAccess = (code: string) =>
  `Cannot read and write the data folder /srv/data (${code}). Correct DATA_DIR, run as the user who owns the folder, or give this user access to it.`;

test.each([
  ['a full disk', failed('ENOSPC'), embedded, isFull('ENOSPC')],
  ['a quota', failed('EDQUOT'), embedded, isFull('EDQUOT')],
  ['a full disk, as PGlite tells of it', errno(51), embedded, isFull('ENOSPC')],
  ['a full disk met by a statement', inQuery('53100'), embedded, isFull('53100')],
  ['no right to write', failed('EACCES', '/srv/data/lock'), embedded, noAccess('EACCES')],
  ['no right to make the folder', failed('EACCES', '/srv'), embedded, noAccess('EACCES')],
  ['a read-only file system', failed('EROFS', '/srv/data/lock'), embedded, noAccess('EROFS')],
  [
    'a key that belongs to another user',
    failed('EACCES', '/srv/data/secret-key'),
    embedded,
    'Cannot read /srv/data/secret-key (EACCES). Give the file to the user who runs the service (chown), with mode 0600.',
  ],
  ['a file that belongs to another user', errno(2), embedded, noAccess('EACCES')],
  [
    'a path that is too long',
    failed('ENAMETOOLONG', '/srv/data'),
    embedded,
    'The path of the data folder /srv/data is too long (ENAMETOOLONG). Set DATA_DIR to a shorter path.',
  ],
  [
    'a full disk of the server',
    inQuery('53100'),
    onServer,
    'The disk of the PostgreSQL server is full. Free some space on it, then try again.',
  ],
  [
    'a standby',
    inQuery('25006'),
    onServer,
    'The PostgreSQL server is read-only, as a standby is. Set DATABASE_URL to a server that accepts writes.',
  ],
  [
    'a user of the server without rights',
    inQuery('42501', 'permission denied for schema public'),
    onServer,
    'PostgreSQL refused a statement: permission denied for schema public. Grant that right to the user in DATABASE_URL, or set MIGRATION_DATABASE_URL to a user who can create tables.',
  ],
  [
    'a user of the server without rights, beside one for migrations',
    inQuery('42501', 'permission denied for table people'),
    withTwoUsers,
    'PostgreSQL refused a statement: permission denied for table people. Grant that right to the user in DATABASE_URL or in MIGRATION_DATABASE_URL.',
  ],
  [
    'a server that was stopped in the middle of a statement',
    inQuery('57P01', 'terminating connection due to administrator command'),
    onServer,
    'PostgreSQL failed during the start: terminating connection due to administrator command. Check that the server runs and that DATABASE_URL has its host and port, then start again: the steps that are complete are kept.',
  ],
  [
    'a server that no longer responds',
    inQuery(undefined, 'timeout exceeded when trying to connect'),
    withTwoUsers,
    'PostgreSQL failed during the start: timeout exceeded when trying to connect. Check that the server runs and that DATABASE_URL and MIGRATION_DATABASE_URL have its host and port, then start again: the steps that are complete are kept.',
  ],
  [
    'a database with the tables of another program',
    inQuery('42P07', 'relation "people" already exists'),
    onServer,
    'The database has tables of another program: relation "people" already exists. Set DATABASE_URL to a database of its own for this service.',
  ],
])('%s is explained in one sentence', (_, error, config, words) => {
  const told = explainStartFailure(error, config);
  expect(told).toBeInstanceOf(StartError);
  expect(told?.message).toBe(words);
});

test.each([
  ['is a file', 'file'],
  ['is inside a file', 'file/data'],
  ['is a symbolic link that leads nowhere, as to a disk that is not mounted', 'link'],
  ['is inside such a link', 'link/data'],
])('a data folder that %s is explained in one sentence', async (_, path) => {
  const parent = temporaryFolder();
  await writeFile(join(parent, 'file'), '');
  await symlink(join(parent, 'gone', 'data'), join(parent, 'link'));
  const dataDir = join(parent, path);
  expect(await explainedOpening(dataDir)).toBe(
    `The data folder ${dataDir} is a file, is inside one, or is behind a symbolic link that leads nowhere. Set DATA_DIR to a folder, or mount its disk.`,
  );
});

test.runIf(process.platform === 'linux')(
  'a data folder in a file system that allows no new folders, as /proc, is explained immediately',
  async () => {
    const dataDir = '/proc/none/data';
    expect(await explainedOpening(dataDir)).toBe(
      'The data folder /proc/none/data cannot be created, because its file system allows no new folders there (ENOENT). Set DATA_DIR to a folder on a disk.',
    );
  },
);

test('a damaged embedded database is explained and left as it is', async () => {
  const dataDir = temporaryFolder();
  await addMigratedDatabase(dataDir);
  const control = join(dataDir, 'pglite/global/pg_control');
  await truncate(control, 100);
  expect(await explainedOpening(dataDir)).toBe(
    `The embedded database in ${dataDir}/pglite does not open. Check that its disk has free space and that all its files belong to the user who runs the service; if so, it may be damaged: restore a backup.`,
  );
  expect((await stat(control)).size).toBe(100);
});

test.each([
  ['of another folder', failed('EACCES', '/etc/secret')],
  ['of a folder whose name begins the same', failed('EACCES', '/srv/database/x')],
  ['of no file', failed('EACCES')],
  ['that nobody foresaw', new TypeError('x is undefined')],
  ['that is no error', undefined],
])('a failure %s is not explained', (_, error) => {
  expect(explainStartFailure(error, embedded)).toBe(null);
});

/** How the failure to open this data folder is explained. */
async function explainedOpening(dataDir: string): Promise<string | undefined> {
  const error: unknown = await openPglite({ dataDir, log: silentLog }).catch((e: unknown) => e);
  return explainStartFailure(error, { ...embedded, dataDir })?.message;
}
