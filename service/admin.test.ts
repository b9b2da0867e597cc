import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { runAdmin } from './admin.ts';
import { systemClock } from './clock.ts';
import { createAuth } from './auth/auth.ts';
import { loadConfig } from './config.ts';
import { openDatabase } from './db/open.ts';
import { auditEntries, members, sessions } from './db/schema.ts';
import { createLogger } from './log.ts';

const log = createLogger({ level: 'silent', isPretty: false });

const firstAdmin = {
  INIT_ADMIN_EMAIL: 'ann@example.com',
  INIT_ADMIN_PASSWORD: 'correct horse battery',
  INIT_ACCOUNT_NAME: 'Marlow & Finch',
};

let dataDir: string;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'admin-'));
});
afterEach(async () => {
  await rm(dataDir, { recursive: true });
});

async function admin(...args: string[]) {
  return await runAdmin(args, { DATA_DIR: dataDir });
}

async function open() {
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

const from = { ip: '203.0.113.7', userAgent: null };

describe('operator commands', () => {
  test('print a token that the configuration takes', async () => {
    const { exitCode, text } = await admin('make-token');
    expect(exitCode).toBe(0);
    expect(loadConfig({ INIT_API_KEY: text, ...firstAdmin }).init.apiKey).toBe(text);
  });

  test('make accounts, and let a person who lost their password in again', async () => {
    const made = await admin('create-account', 'Marlow & Finch', 'Ann@Example.com');
    expect(made.exitCode).toBe(0);
    const second = await admin('create-account', 'Second', 'ann@example.com');
    expect(second.exitCode).toBe(0);
    expect(second.text).not.toContain('password');

    const first = await open();
    const email = 'ann@example.com';
    const old = { email, password: passwordIn(made.text), ...from };
    const session = await first.auth.signIn(old);
    expect(session).not.toBeNull();
    expect(await first.db.$count(members)).toBe(2);

    const refused = await admin('reset-access', email);
    expect(refused.exitCode, 'a running service holds the folder').toBe(1);
    expect(refused.text).toContain(String(process.pid));
    await first.close();

    const nobody = await admin('reset-access', 'no@example.com');
    expect(nobody).toEqual({
      exitCode: 1,
      text: 'Nobody has the e-mail address no@example.com.',
    });

    const reset = await admin('reset-access', ' ANN@example.com');
    expect(reset.exitCode).toBe(0);
    expect(reset.text).toContain('1 session ended');

    const after = await open();
    expect(await after.db.$count(sessions)).toBe(0);
    expect(await after.auth.session(session?.sessionToken ?? '')).toBeNull();
    expect(await after.auth.signIn(old)).toBeNull();
    const renewed = { ...old, password: passwordIn(reset.text) };
    expect(await after.auth.signIn(renewed)).not.toBeNull();
    const audit = await after.db.select().from(auditEntries).orderBy(auditEntries.id);
    expect(audit.map(({ action, actor }) => `${action} by ${actor.name}`)).toEqual([
      'account.created by Operator',
      'account.created by Operator',
      'person.access_reset by Operator',
      'person.access_reset by Operator',
    ]);
    expect(JSON.stringify(audit)).not.toContain(renewed.password);
    await after.close();
  }, 60_000);

  test.each([
    [[], 'Give a command.'],
    [['make-tea'], 'There is no command "make-tea".'],
    [['create-account', 'Marlow'], 'create-account takes'],
    [['create-account', 'Marlow', 'Finch', 'ann@example.com'], 'create-account takes'],
    [['create-account', ' ', 'ann@example.com'], 'The name is not right'],
    [['create-account', 'Marlow', 'ann'], 'The e-mail address is not right'],
    [['reset-access'], 'reset-access takes one'],
    [['reset-access', 'ann'], 'The e-mail address is not right'],
  ])('explain themselves when called as %j', async (args, reason) => {
    const { exitCode, text } = await admin(...args);
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
