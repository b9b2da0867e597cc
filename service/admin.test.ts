import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { runAdmin } from './admin.ts';
import { systemClock } from './clock.ts';
import { createAuth } from './auth/auth.ts';
import { loadConfig } from './config.ts';
import { openDatabase } from './db/open.ts';
import { auditEntries, members, sessions } from './db/schema.ts';
import { createLogger } from './log.ts';
import { addMigratedDatabase } from './testing/migrated-data-folder.ts';

const log = createLogger({ level: 'silent', isPretty: false });

const firstAdmin = {
  INIT_ADMIN_EMAIL: 'ann@example.com',
  INIT_ADMIN_PASSWORD: 'correct horse battery',
  INIT_ACCOUNT_NAME: 'Marlow & Finch',
};

let dataDir: string;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'admin-'));
  await addMigratedDatabase(dataDir);
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

describe('operator commands on a database', () => {
  beforeEach(() => addMigratedDatabase(dataDir));

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

  test('make a person a member, new or known, and change their role', async () => {
    const made = await admin('create-account', 'Marlow & Finch', 'ann@example.com');
    const added = await admin('add-member', ' Marlow & Finch', 'Sam@example.com', 'support');
    expect(added.exitCode).toBe(0);
    expect(added.text).toMatch(
      /^sam@example.com is now support of the account "Marlow & Finch" and signs in with this password/,
    );
    const again = await admin('add-member', 'Marlow & Finch', 'sam@example.com', 'support');
    expect(again).toEqual({
      exitCode: 0,
      text: 'sam@example.com is support of the account "Marlow & Finch" already.',
    });
    const changed = await admin('add-member', 'Marlow & Finch', 'sam@example.com', 'viewer');
    expect(changed).toEqual({
      exitCode: 0,
      text: 'sam@example.com is now viewer of the account "Marlow & Finch", and was support before.',
    });

    const after = await open();
    const sam = { email: 'sam@example.com', password: passwordIn(added.text), ...from };
    expect(await after.auth.signIn(sam)).not.toBeNull();
    expect((await after.db.select().from(members)).map(({ role }) => role).toSorted()).toEqual([
      'owner',
      'viewer',
    ]);
    const audit = await after.db.select().from(auditEntries).orderBy(auditEntries.id);
    expect(audit.map(({ action, actor, target }) => [action, actor.name, target.name])).toEqual([
      ['account.created', 'Operator', 'Marlow & Finch'],
      ['member.added', 'Operator', 'sam'],
      ['member.role_changed', 'Operator', 'sam'],
    ]);
    expect(audit.at(-1)?.changes).toMatchObject({ role: 'viewer', previous_role: 'support' });
    expect(JSON.stringify(audit)).not.toContain(sam.password);
    expect(await after.auth.signIn({ ...sam, email: 'ann@example.com' })).toBeNull();
    expect(passwordIn(made.text)).not.toBe(sam.password);
    await after.close();
  }, 60_000);

  test('leave an account its last owner', async () => {
    await admin('create-account', 'Marlow', 'ann@example.com');
    const refused = await admin('add-member', 'Marlow', 'ann@example.com', 'viewer');
    expect(refused.exitCode).toBe(1);
    expect(refused.text).toContain('ann@example.com is the last owner');
    await admin('add-member', 'Marlow', 'bob@example.com', 'owner');
    const changed = await admin('add-member', 'Marlow', 'ann@example.com', 'viewer');
    expect(changed.exitCode).toBe(0);
  }, 60_000);

  test('ask for an id where several accounts have the name, and take it', async () => {
    expect(await admin('add-member', 'Marlow', 'sam@example.com', 'viewer')).toEqual({
      exitCode: 1,
      text: 'There is no account "Marlow".',
    });
    await admin('create-account', 'Marlow', 'ann@example.com');
    await admin('create-account', 'Marlow', 'bob@example.com');
    const unclear = await admin('add-member', 'Marlow', 'ann@example.com', 'admin');
    expect(unclear.exitCode).toBe(1);
    const ids = [...unclear.text.matchAll(/^ {2}(\S+)$/gm)].map(([, id = '']) => id);
    expect(ids).toHaveLength(2);
    const added = await admin('add-member', ids[1] ?? '', 'ann@example.com', 'admin');
    expect(added).toEqual({
      exitCode: 0,
      text: 'ann@example.com is now admin of the account "Marlow" and signs in as before.',
    });
    const after = await open();
    const roles = await after.db
      .select()
      .from(members)
      .where(eq(members.accountId, ids[1] ?? ''));
    expect(roles.map(({ role }) => role).toSorted()).toEqual(['admin', 'owner']);
    await after.close();
  }, 60_000);
});

describe('operator commands', () => {
  test('print a token that the configuration takes', async () => {
    const { exitCode, text } = await admin('make-token');
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
