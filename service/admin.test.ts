import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runAdmin } from './admin.ts';
import { systemClock } from './clock.ts';
import { createAuth } from './auth/auth.ts';
import { loadConfig } from './config/load-config.ts';
import { openDatabase } from './db/open.ts';
import { createLogger } from './log/log.ts';
import { addMigratedDatabase } from './testing/databases/migrated-data-folder.ts';

const log = createLogger({ level: 'silent', isPretty: false });

const firstAdmin = {
  INIT_ADMIN_EMAIL: 'ann@example.com',
  INIT_ADMIN_PASSWORD: 'correct horse battery',
  INIT_ACCOUNT_NAME: 'Marlow & Finch',
};

async function open(dataDir: string) {
  const database = await openDatabase({
    config: { databaseUrl: null, migrationDatabaseUrl: null, dataDir },
    log,
  });
  const auth = createAuth({
    db: database.db,
    publicUrl: new URL('http://localhost:3000'),
    secret: 'a secret as long as a secret should be',
    clock: systemClock,
    log,
  });
  return { ...database, auth };
}

function passwordIn(text: string): string {
  const password = /^ {2}(\S+)$/m.exec(text)?.[1];
  if (!password) throw new Error(`no password in: ${text}`);
  return password;
}

test('operator commands work on a data folder that no service has open', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'admin-'));
  await addMigratedDatabase(dataDir);
  const admin = (...args: string[]) => runAdmin(args, { DATA_DIR: dataDir });
  const email = 'ann@example.com';
  const from = { ip: '203.0.113.7', userAgent: null };

  const made = await admin('create-account', 'Marlow & Finch', email);
  expect(made.exitCode).toBe(0);
  const old = { email, password: passwordIn(made.text), ...from };

  const first = await open(dataDir);
  const session = await first.auth.signIn(old);
  expect(session).not.toBeNull();
  const refused = await admin('reset-access', email);
  expect(refused.exitCode, 'a running service holds the folder').toBe(1);
  expect(refused.text).toContain(String(process.pid));
  await first.close();

  const reset = await admin('reset-access', email);
  expect(reset.exitCode).toBe(0);
  expect(reset.text).toContain('1 session ended');

  const after = await open(dataDir);
  expect(await after.auth.session(session?.sessionToken ?? '')).toBeNull();
  expect(await after.auth.signIn(old)).toBeNull();
  expect(await after.auth.signIn({ ...old, password: passwordIn(reset.text) })).not.toBeNull();
  await after.close();
  await rm(dataDir, { recursive: true });
}, 60_000);

describe('operator commands', () => {
  test('print a token that the configuration takes', async () => {
    const { exitCode, text } = await runAdmin(['make-token'], {});
    expect(exitCode).toBe(0);
    expect(loadConfig({ INIT_API_KEY: text, ...firstAdmin }).init.apiKey).toBe(text);
  });

  test.each([
    [[], 'Give a command.'],
    [['make-tea'], 'There is no command "make-tea".'],
    [['create-account', 'Marlow'], 'create-account takes'],
    [['create-account', 'Marlow', 'Finch', 'ann@example.com'], 'create-account takes'],
    [['create-account', ' ', 'ann@example.com'], 'The name is not right'],
    [['create-account', 'Marlow', 'ann'], 'The e-mail address is not right'],
    [['add-member', 'Marlow', 'ann@example.com'], 'add-member takes an account'],
    [['add-member', 'Marlow', 'ann', 'viewer'], 'The e-mail address is not right'],
    [['add-member', 'Marlow', 'ann@example.com', 'king'], 'There is no role "king".'],
    [['reset-access'], 'reset-access takes one'],
    [['reset-access', 'ann'], 'The e-mail address is not right'],
  ])('explain themselves when called as %j', async (args, reason) => {
    const { exitCode, text } = await runAdmin(args, {});
    expect(exitCode).toBe(2);
    expect(text).toContain(reason);
    expect(text).toContain('npm run admin -- create-account <name> <owner e-mail>');
  });

  test('name a wrong configuration instead of failing with a stack', async () => {
    const answer = await runAdmin(['reset-access', 'ann@example.com'], { PORT: 'x' });
    expect(answer.exitCode).toBe(1);
    expect(answer.text).toContain('PORT');
  });
});
