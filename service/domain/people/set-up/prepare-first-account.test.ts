import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { dayMs, hourMs } from '#lib/durations.ts';
import type { Context } from '../../../context.ts';
import { accounts } from '../../../db/schema/people/accounts.ts';
import { apiKeyTokens } from '../../../db/schema/api-keys/api-key-tokens.ts';
import { apiKeys } from '../../../db/schema/api-keys/api-keys.ts';
import { auditEntries } from '../../../db/schema/audit.ts';
import { people, setUpTokens } from '../../../db/schema/people/people.ts';
import { useContext } from '../../../testing/use-api.ts';
import { digestToken, newToken } from '../../../tokens/token.ts';
import type { PersonActor } from '../../actor.ts';
import { authenticateToken } from '../../api-keys/tokens/authenticate-token.ts';
import { eraseDeletedAccounts } from '../../erasure/erase-deleted-accounts.ts';
import { deleteAccount } from '../accounts/delete-account.ts';
import { checkSetUpToken, setUp } from './set-up.ts';
import { findPersonActor } from '../sessions/find-person.ts';
import { prepareFirstAccount } from './prepare-first-account.ts';
import { signInWithPassword } from '../../../testing/sign-in.ts';

const origin = { ip: '203.0.113.7', userAgent: 'Firefox', requestId: 'r1' };
const noInit = { adminEmail: null, adminPassword: null, accountName: null, apiKey: null };
const password = 'correct horse battery';

// A database has only one first start, so each test has its own.
const base = useContext({ contextFor: 'test' });
let ctx: Context;
let warnings: string[];

beforeEach(() => {
  warnings = [];
  const log = base.log.child({});
  vi.spyOn(log, 'warn').mockImplementation((...said: unknown[]) => {
    warnings.push(JSON.stringify(said));
  });
  ctx = { ...base, log, config: { ...base.config, init: noInit } };
});

function withInit(init: Partial<Context['config']['init']>): Context {
  return { ...ctx, config: { ...ctx.config, init: { ...noInit, ...init } } };
}

async function mint(): Promise<string> {
  const { setUpToken } = await prepareFirstAccount(ctx);
  if (setUpToken === null) throw new Error('no set-up token');
  return setUpToken;
}

function inputWith(set_up_token: string) {
  return {
    set_up_token,
    account_name: 'Marlow & Finch',
    name: 'Ann Marlow',
    email: 'ann@example.com',
    password,
  };
}

const spent = { details: { set_up_token: [expect.stringContaining('npm start')] } };
const needless = { details: { set_up_token: [expect.stringContaining('Sign in')] } };

describe('a set-up link', () => {
  test('makes the first person, owner of the first account, and signs them in', async () => {
    const session = await setUp(ctx, { input: inputWith(await mint()), origin });
    expect(session.maxAgeSeconds).toBe(7 * 24 * 3600);
    const actor = await findPersonActor(ctx, { sessionToken: session.sessionToken, origin });
    expect(actor).toMatchObject({
      role: 'owner',
      email: 'ann@example.com',
      personName: 'Ann Marlow',
    });
    const audit = await ctx.db.select().from(auditEntries).orderBy(auditEntries.id);
    expect(audit.map(({ action, actor: by }) => [action, by.name])).toEqual([
      ['account.created', 'Ann Marlow'],
      ['session.created', 'Ann Marlow'],
    ]);
    expect(await prepareFirstAccount(ctx)).toEqual({ setUpToken: null, message: null });
  });

  test('has 256 random bits, and only its digest is stored', async () => {
    const token = await mint();
    expect(Buffer.from(token, 'base64url')).toHaveLength(32);
    const [row] = await ctx.db.select().from(setUpTokens);
    expect(JSON.stringify(row)).not.toContain(token);
  });

  test('works for exactly 60 minutes', async () => {
    const token = await mint();
    base.clock.advance(hourMs - 1);
    const { validUntil } = await checkSetUpToken(ctx, token);
    expect(validUntil.getTime()).toBe(base.clock.now().getTime() + 1);
    base.clock.advance(1);
    await expect(checkSetUpToken(ctx, token)).rejects.toMatchObject(spent);
    await expect(setUp(ctx, { input: inputWith(token), origin })).rejects.toMatchObject(spent);
    expect(await ctx.db.$count(people)).toBe(0);
  });

  test('is replaced by the next start, which says so', async () => {
    const [first, next] = [await prepareFirstAccount(ctx), await prepareFirstAccount(ctx)];
    expect(first.message).toBeNull();
    expect(next.message).toBe(
      'An earlier set-up link, printed by this process or another one, is no longer valid.',
    );
    const [older, newer] = [first, next].map(({ setUpToken }) => setUpToken ?? '');
    await expect(checkSetUpToken(ctx, older ?? '')).rejects.toMatchObject(spent);
    await checkSetUpToken(ctx, newer ?? '');
    expect(await ctx.db.$count(setUpTokens)).toBe(1);
  });

  test('is void once there is a person, however they were added', async () => {
    const token = await mint();
    await ctx.db.insert(people).values({ id: 'p1', name: 'Ann', email: 'ann@example.com' });
    await expect(checkSetUpToken(ctx, token)).rejects.toMatchObject(needless);
    await expect(setUp(ctx, { input: inputWith(token), origin })).rejects.toMatchObject(needless);
  });
});

describe('INIT_* variables', () => {
  const init = {
    adminEmail: 'Admin@Example.com',
    adminPassword: password,
    accountName: 'Marlow & Finch',
  };

  async function signInAsAdmin(): Promise<PersonActor> {
    const given = { email: 'admin@example.com', password, ip: origin.ip, userAgent: null };
    const { sessionToken = '' } = (await signInWithPassword(ctx.auth, given)) ?? {};
    const actor = await findPersonActor(ctx, { sessionToken, origin });
    if (!actor) throw new Error('the admin cannot sign in');
    return actor;
  }

  test('make the account, its owner and its first key without any link', async () => {
    const apiKey = newToken();
    const { setUpToken, message } = await prepareFirstAccount(withInit({ ...init, apiKey }));
    expect(setUpToken).toBeNull();
    expect(message).toContain('Marlow & Finch');
    expect(message).not.toContain(apiKey);
    expect(message).not.toContain(password);

    const actor = await signInAsAdmin();
    expect(actor).toMatchObject({ role: 'owner', personName: 'admin' });
    const [key] = await ctx.db.select().from(apiKeys);
    expect(key).toMatchObject({
      name: 'Initial key',
      type: 'full',
      accountId: actor.accountId,
      createdBy: { kind: 'system', name: 'Operator' },
    });
    const known = eq(apiKeyTokens.digest, digestToken(apiKey));
    // Anyone who chose the token knows it, so no response showed it to anyone.
    expect(await ctx.db.select().from(apiKeyTokens).where(known)).toMatchObject([
      { shownTo: null },
    ]);
    const audit = await ctx.db.select().from(auditEntries).orderBy(auditEntries.id);
    expect(audit.map(({ action, actor: by }) => [action, by.name])[0]).toEqual([
      'account.created',
      'Operator',
    ]);
    expect(warnings).toEqual([]);
  });

  test('end a set-up link printed before', async () => {
    await mint();
    await prepareFirstAccount(withInit(init));
    expect(await ctx.db.$count(setUpTokens)).toBe(0);
  });

  test('change nothing and say nothing on later starts when they are the same', async () => {
    const apiKey = newToken();
    await prepareFirstAccount(withInit({ ...init, apiKey }));
    await ctx.db.update(apiKeys).set({ revokedAt: ctx.clock.now() });
    expect(await prepareFirstAccount(withInit({ ...init, apiKey }))).toEqual({
      setUpToken: null,
      message: null,
    });
    const [key] = await ctx.db.select().from(apiKeys);
    expect(key?.revokedAt, 'a revoked key stays revoked').not.toBeNull();
    expect(await ctx.db.$count(apiKeys)).toBe(1);
    expect(warnings).toEqual([]);
  });

  test('never bring back an account that was deleted, erased or not', async () => {
    const apiKey = newToken();
    const started = withInit({ ...init, apiKey });
    await prepareFirstAccount(started);
    await deleteAccount(ctx, await signInAsAdmin(), { name: init.accountName });
    expect(await prepareFirstAccount(started)).toEqual({ setUpToken: null, message: null });
    expect(await ctx.db.query.accounts.findMany()).toMatchObject([{ deletedAt: ctx.clock.now() }]);
    expect(await authenticateToken(ctx, { token: apiKey, origin })).toMatchObject({
      kind: 'refused',
    });

    base.clock.advance(8 * dayMs);
    await eraseDeletedAccounts(ctx, () => Promise.resolve(true));
    expect(JSON.stringify(await ctx.db.query.settings.findMany())).not.toContain('example.com');
    expect(await prepareFirstAccount(started)).toMatchObject({
      setUpToken: expect.any(String) as string,
      message: null,
    });
    expect(await ctx.db.$count(accounts)).toBe(0);
    expect(await ctx.db.$count(people)).toBe(0);
    expect(await authenticateToken(ctx, { token: apiKey, origin })).toMatchObject({
      kind: 'refused',
    });
  });

  test('that differ later change nothing and are named in a warning without their values', async () => {
    await prepareFirstAccount(withInit({ ...init, apiKey: newToken() }));
    const later = {
      adminEmail: 'other@example.com',
      adminPassword: 'another long password',
      accountName: 'Other',
      apiKey: newToken(),
    };
    await prepareFirstAccount(withInit(later));
    expect(await ctx.db.$count(people)).toBe(1);
    expect(await ctx.db.$count(apiKeys)).toBe(1);
    for (const name of ['ADMIN_EMAIL', 'ADMIN_PASSWORD', 'ACCOUNT_NAME', 'API_KEY']) {
      expect(warnings.join('\n')).toContain(`INIT_${name}`);
    }
    for (const value of Object.values(later)) expect(warnings.join('\n')).not.toContain(value);
    expect(warnings).toHaveLength(4);
  });

  test('stop the start when the password is easy to guess, and say why', async () => {
    const weak = withInit({ ...init, adminPassword: `${init.adminEmail}1` });
    await expect(prepareFirstAccount(weak)).rejects.toThrow(
      /^INIT_ADMIN_PASSWORD .* email address/,
    );
    expect(await ctx.db.$count(people)).toBe(0);
  });

  test('stop no later start for a password that was accepted once', async () => {
    await prepareFirstAccount(withInit(init));
    await prepareFirstAccount(withInit({ ...init, adminPassword: 'password1234' }));
    expect(warnings).toEqual([expect.stringContaining('INIT_ADMIN_PASSWORD')]);
  });

  test('stop the start when nobody could sign in with the email', async () => {
    await expect(
      prepareFirstAccount(withInit({ ...init, adminEmail: 'admin at example.com' })),
    ).rejects.toThrow('INIT_ADMIN_EMAIL');
    expect(await ctx.db.$count(people)).toBe(0);
  });
});
