import { eq } from 'drizzle-orm';
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { dayMs, hourMs, minuteMs } from '#lib/durations.ts';
import { sessions } from '../db/schema/people/sessions.ts';
import type { Db } from '../db/open.ts';
import { logStatements } from '../testing/databases/log-statements.ts';
import { quickHashing } from '../testing/quick-hashing.ts';
import { addPerson } from '../testing/records/people.ts';
import { createAuth } from './auth.ts';
import { HashingQueue } from './hashing-queue.ts';
import { scryptHashing } from './password.ts';
import type { PasswordHashing } from './password.ts';
import { signInWithPassword } from '../testing/sign-in.ts';
import { useContext } from '../testing/use-api.ts';

const password = 'correct horse battery';
const from = { ip: '203.0.113.7', userAgent: 'Firefox' };

const ctx = useContext();
let email: string;
let personId: string;
let passwordHash: string;

beforeAll(async () => {
  passwordHash = await ctx.auth.hashPassword(password);
});

beforeEach(async () => {
  email = `ann-${crypto.randomUUID()}@example.com`;
  personId = (await addPerson(ctx, { email, passwordHash })).id;
});

function open(
  options: { db?: Db; hashing?: HashingQueue; passwords?: PasswordHashing; key?: Buffer } = {},
) {
  return createAuth({
    db: ctx.db,
    key: Buffer.alloc(32, 1),
    clock: ctx.clock,
    passwords: quickHashing,
    ...options,
  });
}

async function storedSession() {
  const [stored] = await ctx.db.select().from(sessions).where(eq(sessions.personId, personId));
  if (!stored) throw new Error('there is no session');
  return stored;
}

async function signIn(auth = ctx.auth): Promise<string> {
  const session = await signInWithPassword(auth, { email, password, ...from });
  if (!session) throw new Error('the sign-in failed');
  return session.sessionToken;
}

describe('signing in', () => {
  test('stores the full IP address and the user agent with the session', async () => {
    await signInWithPassword(ctx.auth, {
      email,
      password,
      ip: '2001:db8::17',
      userAgent: 'Fire\u{1F98A}fox\n',
    });
    expect(await storedSession()).toMatchObject({
      ipAddress: '2001:db8::17',
      userAgent: 'Firefox',
    });
  });

  test('a wrong password or an unknown email opens no session', async () => {
    for (const wrong of [
      { email, password: 'wrong' },
      { email: 'no@example.com', password },
      { email, password: 'x'.repeat(5000) },
    ]) {
      expect(await signInWithPassword(ctx.auth, { ...wrong, ...from })).toBeNull();
    }
    expect(await ctx.db.$count(sessions, eq(sessions.personId, personId))).toBe(0);
  });

  test('an unknown email takes as much work as a wrong password', async () => {
    const auth = open({ passwords: scryptHashing });
    const known = await addPerson(ctx, { passwordHash: await auth.hashPassword(password) });
    const options = { email: known.email, ...from };
    expect(await signInWithPassword(auth, { ...options, password })).not.toBeNull();
    const wrong = await workOf(() => signInWithPassword(auth, { ...options, password: 'wrong' }));
    const unknown = await workOf(() =>
      signInWithPassword(auth, { ...options, email: 'no@example.com', password: 'wrong' }),
    );
    expect(unknown).toBeGreaterThan(wrong / 3);
  });
});

describe('a sign-in', () => {
  test('with an unknown email makes the same queries as one with a wrong password', async () => {
    const statements: string[] = [];
    const auth = open({ db: logStatements(ctx.database, statements) });
    await signInWithPassword(auth, { email, password: 'wrong', ...from });
    const wrong = statements.splice(0);
    await signInWithPassword(auth, { email: 'no@example.com', password: 'wrong', ...from });
    expect(statements).toEqual(wrong);
    expect(wrong.length).toBeGreaterThan(0);
  });

  test('waits in the queue of unknown devices; one from a known device and a proof in that of known ones', async () => {
    const hashing = new HashingQueue();
    const run = vi.spyOn(hashing, 'run');
    const auth = open({ hashing });
    await signInWithPassword(auth, { email, password, ...from });
    await signInWithPassword(auth, { email, password, ...from, isKnownDevice: true });
    await auth.verifyPassword({ hash: 'salt:key', password });
    expect(run.mock.calls.map(([device]) => device.isKnownDevice)).toEqual([false, true, true]);
  });
});

describe('a session', () => {
  test('ends after 12 hours without use', async () => {
    const token = await signIn();
    ctx.clock.advance(12 * hourMs);
    expect(await ctx.auth.session(token)).toBeNull();
    expect(await ctx.db.$count(sessions, eq(sessions.personId, personId))).toBe(0);
  });

  test('takes one statement to read, except once a minute, when its use is recorded', async () => {
    const statements: string[] = [];
    const auth = open({ db: logStatements(ctx.database, statements) });
    const token = await signIn(auth);
    const first = await auth.session(token);
    statements.length = 0;
    expect(await auth.session(token)).toEqual(first);
    expect(statements).toHaveLength(1);

    ctx.clock.advance(minuteMs - 1);
    await auth.session(token);
    expect(statements).toHaveLength(2);
    ctx.clock.advance(1);
    expect(await auth.session(token)).toMatchObject({ sessionId: first?.sessionId });
    expect((await storedSession()).lastUsedAt).toEqual(ctx.clock.now());
  });

  test('ends immediately in a process that has read it, when another process ends it or replaces its token', async () => {
    const token = await signIn();
    const isStored = eq(sessions.id, (await storedSession()).id);
    expect(await ctx.auth.session(token)).not.toBeNull();
    await ctx.db
      .update(sessions)
      .set({ digest: Buffer.alloc(32) })
      .where(isStored);
    expect(await ctx.auth.session(token)).toBeNull();

    const second = await signIn();
    expect(await ctx.auth.session(second)).not.toBeNull();
    await ctx.db.delete(sessions).where(eq(sessions.personId, personId));
    expect(await ctx.auth.session(second)).toBeNull();
  });

  test('ends 7 days after the password was given, however much it is used', async () => {
    const token = await signIn();
    for (let passed = 0; passed < 7 * dayMs - 10 * hourMs; passed += 10 * hourMs) {
      ctx.clock.advance(10 * hourMs);
      expect(await ctx.auth.session(token)).not.toBeNull();
    }
    ctx.clock.advance(10 * hourMs);
    expect(await ctx.auth.session(token)).toBeNull();
    expect(await ctx.db.$count(sessions, eq(sessions.personId, personId))).toBe(0);
  });

  test('never promises to last longer than 7 days', async () => {
    const latestEnd = new Date(ctx.clock.now().getTime() + 7 * dayMs);
    const token = await signIn();
    for (let use = 0; use < 16; use += 1) {
      ctx.clock.advance(10 * hourMs);
      await ctx.auth.session(token);
    }
    expect(await ctx.auth.session(token)).toMatchObject({ expiresAt: latestEnd });
  });

  test('is the only one that ends when it is signed out', async () => {
    const [here, there] = [await signIn(), await signIn()];
    await ctx.auth.signOut(here);
    expect(await ctx.auth.session(here)).toBeNull();
    expect(await ctx.auth.session(there)).not.toBeNull();
    await ctx.auth.signOut(here);
  });
});

describe('a session token', () => {
  test('is valid only as a whole, and only with the key of this installation', async () => {
    const token = await signIn();
    const other = open({ key: Buffer.alloc(32, 2) });
    expect(await other.session(token)).toBeNull();
    const digest = ctx.auth.digestOf(token).toString('base64url');
    for (const forged of [token.slice(0, -1), `${token}=`, `x${token}`, digest]) {
      expect(await ctx.auth.session(forged), forged).toBeNull();
    }
    expect(await ctx.auth.session(token)).not.toBeNull();
  });

  test('cannot smuggle another cookie or header into a request', async () => {
    const token = await signIn();
    for (const text of [
      '',
      `a; session=${token}`,
      `${token}\r\nx: y`,
      `${token},a`,
      'ü',
      'a'.repeat(9000),
    ]) {
      expect(await ctx.auth.session(text)).toBeNull();
      await ctx.auth.signOut(text);
    }
    expect(await ctx.auth.session(token)).not.toBeNull();
  });

  test('needs no escaping in a header or a cookie', async () => {
    expect(await signIn()).toMatch(/^[\w.%-]+$/);
  });
});

/**
 * The processor time of this process, including hashes on other threads: the lowest of three
 * measurements.
 */
async function workOf(act: () => Promise<unknown>): Promise<number> {
  const costs: number[] = [];
  while (costs.length < 3) {
    const before = process.cpuUsage();
    await act();
    const { user, system } = process.cpuUsage(before);
    costs.push(user + system);
  }
  return Math.min(...costs);
}
