import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdir, rename, rm, stat } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { eq } from 'drizzle-orm';
import { members } from '../db/schema/people/members.ts';
import { History } from '../testing/records/history.ts';
import { addAccount } from '../testing/records/people.ts';
import { askRunningService, listenForAdminCommands } from './socket.ts';
import { findAdminSocket, prepareAdminSocket } from './socket-path.ts';
import { useContext } from '../testing/use-api.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';

const ctx = useContext();
let parent: string;
let dataDir: string;
let listening: { close(): Promise<void> } | null;

beforeEach(async () => {
  parent = temporaryFolder();
  dataDir = join(parent, 'data');
  await mkdir(dataDir, { mode: 0o700 });
  listening = await listenForAdminCommands(ctx, dataDir);
});
afterEach(() => listening?.close());

const ask = (...args: string[]) => askRunningService({ dataDir, args, log: ctx.log });

describe('a running service', () => {
  test('executes operator commands, whose changes apply immediately', async () => {
    const account = await addAccount(ctx);
    const added = await ask('add-member', account, 'sam@example.com', 'support');
    expect(added?.exitCode).toBe(0);
    const rows = await ctx.db.select().from(members).where(eq(members.accountId, account));
    expect(rows.map(({ role }) => role)).toContain('support');
  });

  test('says what is wrong with a command', async () => {
    expect(await ask('make-tea')).toMatchObject({
      exitCode: 2,
      text: expect.stringContaining('Unknown command "make-tea".'),
    });
    expect(await ask('reset-access', 'no@example.com')).toEqual({
      exitCode: 1,
      text: 'No person has the email address no@example.com.',
    });
  });

  test('verifies the audit log, and signals in the meantime that the command is still running', async () => {
    const account = await addAccount(ctx);
    await new History(ctx, account).addAuditEntries({ daysOld: 1, count: 3000 });
    const folder = join(parent, 'signs');
    await mkdir(folder, { mode: 0o700 });
    const signing = await listenForAdminCommands(ctx, folder, 1);
    const path = (await findAdminSocket(folder)) ?? '';
    const socket = connect({ path, allowHalfOpen: true });
    socket.end(JSON.stringify({ args: ['verify-audit', account] }));
    expect(await readText(socket)).toMatch(/^ +\{"exitCode":0,"text":".*: ok, 3,000 entries/);
    await signing?.close();

    expect(await ask('verify-audit', account)).toMatchObject({
      exitCode: 0,
      text: expect.stringContaining(': ok, 3,000 entries, end 3000 '),
    });
  });

  test('admits nobody else: only its user may open the socket', async () => {
    const { mode } = await stat(join(dataDir, 'admin.sock'));
    expect((mode & 0o777).toString(8)).toBe('600');
  });

  test.each(['', 'not JSON', '{"args":[1]}', `{"args":["${'x'.repeat(70_000)}"]}`])(
    'closes a connection that sends something else, and continues: %.20s',
    async (request) => {
      const socket = connect(join(dataDir, 'admin.sock')).on('error', () => undefined);
      socket.end(request);
      expect(await readText(socket).catch(() => '')).toBe('');
      expect((await ask('make-tea'))?.exitCode).toBe(2);
    },
  );

  test('that has stopped takes no commands, and leaves no socket', async () => {
    await listening?.close();
    listening = null;
    expect(existsSync(join(dataDir, 'admin.sock'))).toBe(false);
    expect(await ask('make-tea')).toBeNull();
  });

  test('that was killed leaves a socket without a listener, which the next service replaces', async () => {
    await listening?.close();
    const killed = createServer().listen(join(parent, 'killed.sock'));
    await once(killed, 'listening');
    await rename(join(parent, 'killed.sock'), join(dataDir, 'admin.sock'));
    killed.close();
    await once(killed, 'close');
    expect(existsSync(join(dataDir, 'admin.sock'))).toBe(true);
    expect(await ask('make-tea')).toBeNull();
    listening = await listenForAdminCommands(ctx, dataDir);
    expect((await ask('make-tea'))?.exitCode).toBe(2);
  });
});

describe('a data folder whose path is too long for a socket', () => {
  beforeEach(async () => {
    await listening?.close();
    dataDir = join(dataDir, 'x'.repeat(100));
    await mkdir(dataDir);
  });

  test('has its socket in a folder that only its user can enter', async () => {
    listening = await listenForAdminCommands(ctx, dataDir);
    const path = await prepareAdminSocket(dataDir);
    expect(((await stat(dirname(path))).mode & 0o777).toString(8)).toBe('700');
    expect((await ask('make-tea'))?.exitCode).toBe(2);
    await rm(dirname(path), { recursive: true });
  });

  test('has no socket if another user could enter that folder', async () => {
    const folder = dirname(await prepareAdminSocket(dataDir));
    await chmod(folder, 0o755);
    listening = await listenForAdminCommands(ctx, dataDir);
    expect(listening).toBeNull();
    expect(ctx.logged.at(-1)?.msg).toContain('no admin socket');
    await rm(folder, { recursive: true });
  });
});
