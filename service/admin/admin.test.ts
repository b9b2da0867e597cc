import { mkdir, readdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { runAdmin } from '../admin.ts';
import { loadConfig } from '../config/load-config.ts';
import { openDatabase } from '../db/open.ts';
import { addMigratedDatabase } from '../testing/databases/migrated-data-folder.ts';
import { silentLog as log } from '../testing/logger.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { version } from '../version.ts';

const firstAdmin = {
  INIT_ADMIN_EMAIL: 'ann@example.com',
  INIT_ADMIN_PASSWORD: 'correct horse battery',
  INIT_ACCOUNT_NAME: 'Marlow & Finch',
};

let parent: string;
let dataDir: string;
beforeEach(() => {
  parent = temporaryFolder();
  dataDir = join(parent, 'data');
});

const admin = (...args: string[]) =>
  runAdmin(args, { DATA_DIR: dataDir }, { triesInUse: 1, pause: async () => {} });

test('operator commands work on a data folder that no service has open, and wait for one that starts or stops, and for another command', async () => {
  await addMigratedDatabase(dataDir);
  const email = 'ann@example.com';
  expect((await admin('create-account', 'Marlow & Finch', email)).exitCode).toBe(0);

  const service = await openDatabase({
    config: { databaseUrl: null, migrationDatabaseUrl: null, dataDir },
    log,
  });
  const refused = await admin('reset-access', email);
  expect(refused.exitCode, 'a running service holds the folder').toBe(1);
  expect(refused.text).toContain(`is in use by process ${process.pid} on `);
  expect(refused.text).toContain('Run the command again once it is ready.');

  const reset = await runAdmin(
    ['reset-access', email],
    { DATA_DIR: dataDir },
    { triesInUse: 2, pause: () => service.close() },
  );
  expect(reset.exitCode).toBe(0);
  const { text: outbox } = await admin('outbox');
  expect(outbox, 'the email is written before the command ends').toContain(
    'Your password was reset',
  );
});

test.each([
  ['does not exist', [], () => undefined],
  ['is empty', ['data'], () => mkdir(dataDir)],
])(
  'a data folder that %s is refused as without an installation, and left unchanged',
  async (_what, left, prepare) => {
    await prepare();
    expect(await admin('create-account', 'Marlow', 'ann@example.com')).toEqual({
      exitCode: 1,
      text: `There is no installation in the data folder ${dataDir}. Check DATA_DIR, or start the service once to create it.`,
    });
    expect(await readdir(parent, { recursive: true })).toEqual(left);
  },
);

test('a data folder that cannot be read is refused with another message', async () => {
  await symlink(dataDir, dataDir);
  const refused = await admin('list-accounts');
  expect(refused.text).toContain(`Cannot read and write the data folder ${dataDir} (ELOOP).`);
});

describe('operator commands', () => {
  test('print a token that the settings accept', async () => {
    const { exitCode, text } = await runAdmin(['make-token'], {});
    expect(exitCode).toBe(0);
    expect(loadConfig({ INIT_API_KEY: text, ...firstAdmin }).init.apiKey).toBe(text);
  });

  test('print the version without an installation', async () => {
    const DATA_DIR = join(dataDir, 'missing');
    expect(await runAdmin(['version'], { DATA_DIR })).toEqual({ exitCode: 0, text: version });
    expect(version).toMatch(/^\d+\.\d+\.\d+/);
  });

  test.each([
    [[], 'No command given.'],
    [['make-tea'], 'Unknown command "make-tea".'],
    [['constructor'], 'Unknown command "constructor".'],
    [['create-account', 'Marlow'], 'create-account needs'],
    [['create-account', 'Marlow', 'Finch', 'ann@example.com'], 'create-account needs'],
    [['create-account', ' ', 'ann@example.com'], 'Invalid name.'],
    [['create-account', 'Marlow', 'ann'], '"ann" is not an email address.'],
    [['add-member', 'Marlow', 'ann@example.com'], 'add-member needs an account'],
    [['add-member', 'Marlow', 'ann', 'viewer'], '"ann" is not an email address.'],
    [
      ['add-member', 'Marlow', 'ann@example.com', 'king'],
      'Unknown role "king". Use one of: owner, admin',
    ],
    [['list-accounts', 'Marlow'], 'list-accounts takes no arguments'],
    [['make-token', 'two'], 'make-token takes no arguments'],
    [['version', 'two'], 'version takes no arguments'],
    [['migrate', 'two'], 'migrate takes no arguments'],
    [['doctor', 'ann'], '"ann" is not an email address.'],
    [['doctor', 'ann@example.com', 'two'], 'doctor takes no arguments, or one email address'],
    [['list-members'], 'list-members needs an account'],
    [['remove-member', 'Marlow'], 'remove-member needs an account'],
    [['remove-member', 'Marlow', 'ann'], '"ann" is not an email address.'],
    [['reset-access'], 'reset-access needs one'],
    [['reset-access', 'ann'], '"ann" is not an email address.'],
  ])('explain themselves when called as %j', async (args, reason) => {
    const { exitCode, text } = await runAdmin(args, {});
    expect(exitCode).toBe(2);
    expect(text).toContain(reason);
    expect(text).toContain(
      args.length > 0 ? 'All commands:' : 'create-account <name> <owner email> ',
    );
    // The reason stays visible on a small terminal.
    if (args.length > 0) expect(text.split('\n').length).toBeLessThan(10);
  });

  test('suggest the command that was meant', async () => {
    const { text } = await runAdmin(['lst-acounts'], {});
    expect(text).toBe(
      'Unknown command "lst-acounts". Did you mean list-accounts? All commands: npm run admin -- help',
    );
  });

  test('show the usage of the command that was used wrongly', async () => {
    const { text } = await runAdmin(['create-account', ' ', 'ann@example.com'], {});
    expect(text).toBe(`Invalid name. Enter a name of 1 to 100 characters.

Usage:
  create-account <name> <owner email>    Create an account. Prints a password if the owner is new or unverified.

All commands: npm run admin -- help`);
  });

  test.each(['help', '--help', '-h'])('explain themselves for %s', async (word) => {
    const { exitCode, text } = await runAdmin([word], {});
    expect(exitCode).toBe(0);
    expect(text).toMatch(/^Usage: npm run admin -- <command>/);
  });

  test('name a wrong setting instead of failing with a stack trace', async () => {
    const result = await runAdmin(['reset-access', 'ann@example.com'], { PORT: 'x' });
    expect(result.exitCode).toBe(1);
    expect(result.text).toContain('PORT');
  });
});
