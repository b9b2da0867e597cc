import { desc, eq } from 'drizzle-orm';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Role } from '#lib/contract/rights/roles.ts';
import { auditEntries } from '../../../db/schema/audit.ts';
import type { AccountId } from '../../../domain/account-id.ts';
import { newToken } from '../../../tokens/token.ts';
import { prepareFirstAccount } from '../../../domain/people/set-up/prepare-first-account.ts';
import { dataOf, detailsOf, TestApi } from '../../../testing/api.ts';
import type { ApiResponse, CallOptions } from '../../../testing/api.ts';
import { addAccount, addMember, addPerson } from '../../../testing/records/people.ts';
import { useApi, useContext } from '../../../testing/use-api.ts';

const credential = newToken();
const password = 'correct horse battery';
const path = '/api/dashboard/session';
const someText: unknown = expect.any(String);
const someTime: unknown = expect.stringMatching(/\+00:00$/);

let passwordHash: string;
let accountId: AccountId;
let personId: string;
let email: string;
let address: string;
let addresses = 0;

const { ctx, api } = useApi({ dashboardCredential: credential });
beforeAll(async () => {
  passwordHash = await ctx.auth.hashPassword(password);
});

beforeEach(async () => {
  accountId = await addAccount(ctx);
  email = `ann-${crypto.randomUUID()}@example.com`;
  personId = (await addPerson(ctx, { email, passwordHash })).id;
  await addMember(ctx, { accountId, personId, role: 'admin' });
  addresses += 1;
  address = `198.51.100.${addresses}`;
});

type DashboardCall = CallOptions & { session?: string; path?: string; on?: TestApi };

/** The headers that the dashboard's server sends. */
async function call(method: string, options: DashboardCall = {}): Promise<ApiResponse> {
  return await (options.on ?? api).call(method, options.path ?? path, {
    token: credential,
    ...options,
    headers: {
      'X-Dashboard-Client': `${address} Firefox`,
      ...(options.session !== undefined && { 'X-Dashboard-Session': options.session }),
      ...options.headers,
    },
  });
}

async function signIn(): Promise<string> {
  const response = await call('POST', { body: { email, password } });
  expect(response.status).toBe(201);
  return sessionTokenOf(response);
}

function sessionTokenOf(response: ApiResponse): string {
  const data = dataOf<{ session_token: string }>(response);
  return data.session_token;
}

async function lastAudit() {
  const [entry] = await ctx.db
    .select()
    .from(auditEntries)
    .where(eq(auditEntries.accountId, accountId))
    .orderBy(desc(auditEntries.id))
    .limit(1);
  return entry;
}

describe('signing in', () => {
  test('returns what the browser must keep, and is audited with the browser’s address', async () => {
    const response = await call('POST', { body: { email: ` ${email.toUpperCase()}`, password } });
    expect(response.status).toBe(201);
    expect(response.body).toEqual({
      success: true,
      data: {
        session_token: someText,
        max_age: 604_800,
        device_token: someText,
        device_max_age: 15_552_000,
      },
    });
    expect(response.headers.get('set-cookie')).toBeNull();
    expect(await lastAudit()).toMatchObject({
      action: 'session.created',
      actor: { kind: 'person', id: personId, name: 'Ann' },
      ip: address,
      userAgent: 'Firefox',
    });
  });
});

describe('the session', () => {
  test('says who is signed in, where and as what', async () => {
    const response = await call('GET', { session: await signIn() });
    expect(response.status).toBe(200);
    expect(response.body).toEqual({
      success: true,
      data: {
        person: { id: personId, name: 'Ann', email },
        account: {
          id: accountId,
          name: 'Marlow & Finch',
          support: { tokens: 'within_role', payloads: false, error_texts: false },
          erased_at: null,
          second_factor_required_from: null,
        },
        role: 'admin',
        second_factor: { passkeys: 0, app: false, recovery_codes_left: 0 },
        lacks_second_factor: false,
        passkey_host: ctx.config.publicUrl.hostname,
        accounts: [{ id: accountId, name: 'Marlow & Finch', role: 'admin', erased_at: null }],
        is_installation_support: false,
        needs_reason: false,
        visit: null,
        expires_at: someTime,
        proof_expires_at: '2026-11-20T12:30:00.000+00:00',
        rotation_grace_seconds: 86_400,
      },
    });
  });

  test('opens the first account a person joined, and lists the others', async () => {
    ctx.clock.advance(1);
    const other = await addAccount(ctx, 'Aaa');
    await addMember(ctx, { accountId: other, personId, role: 'viewer' });
    const response = await call('GET', { session: await signIn() });
    expect(response.body).toMatchObject({
      data: {
        account: { id: accountId },
        role: 'admin',
        accounts: [{ id: accountId }, { id: other }],
      },
    });
  });

  test('acts in the account that a call names, or else in the chosen one', async () => {
    ctx.clock.advance(1);
    const other = await addAccount(ctx, 'Aaa');
    await addMember(ctx, { accountId: other, personId, role: 'viewer' });
    const session = await signIn();
    const inAccount = async (account?: string) => {
      const headers = account === undefined ? {} : { 'X-Dashboard-Account': account };
      const response = await call('GET', { session, headers });
      const data = dataOf<{ account: { id: string }; role: Role }>(response);
      return [data.account.id, data.role];
    };
    const first = [accountId, 'admin'];
    const second = [other, 'viewer'];
    expect(await inAccount(other)).toEqual(second);
    expect(await inAccount()).toEqual(first);

    const choosing = '/api/dashboard/session/account';
    const headers = { 'X-Dashboard-Account': accountId };
    const chosen = await call('POST', {
      path: choosing,
      session,
      headers,
      body: { account: other },
    });
    expect(chosen.body).toMatchObject({ data: { account: { id: other }, role: 'viewer' } });
    expect(await inAccount()).toEqual(second);
    expect(await inAccount(accountId)).toEqual(first);
  });

  test('is audited in the account that a call names', async () => {
    ctx.clock.advance(1);
    const other = await addAccount(ctx, 'Aaa');
    await addMember(ctx, { accountId: other, personId, role: 'viewer' });
    const session = await signIn();
    const headers = { 'X-Dashboard-Account': other };
    const proving = { path: '/api/dashboard/session/proof', session, headers, body: { password } };
    expect((await call('POST', proving)).status).toBe(201);
    expect((await lastAudit())?.action).toBe('session.created');
    const written = await ctx.db.query.auditEntries.findMany({
      where: (entry) => eq(entry.accountId, other),
    });
    expect(written).toMatchObject([{ action: 'session.proved' }]);
  });

  test('ends by signing out, which is audited', async () => {
    const session = await signIn();
    const response = await call('DELETE', { session });
    expect([response.status, response.text]).toEqual([204, '']);
    expect(await lastAudit()).toMatchObject({ action: 'session.ended', actor: { id: personId } });
    expect((await call('GET', { session })).status).toBe(401);
  });

  test('needs the dashboard’s credential as well, and the credential needs a session', async () => {
    const session = await signIn();
    const headers = { 'X-Dashboard-Session': session };
    expect((await api.call('GET', path, { headers })).status).toBe(401);
    expect((await api.call('GET', path, { headers, token: newToken() })).status).toBe(401);
    expect((await call('GET')).status).toBe(401);
    expect((await call('GET', { session: `${session}x` })).status).toBe(401);
  });
});

describe('the first start', () => {
  const empty = useContext({ dashboardCredential: credential });

  test('is open until the first person is created with the link', async () => {
    const emptyApi = new TestApi(empty);
    const callEmpty = (method: string, options: DashboardCall) =>
      call(method, { ...options, on: emptyApi });
    const { setUpToken: set_up_token } = await prepareFirstAccount(empty);
    const setUpPath = '/api/dashboard/set-up';
    const state = await callEmpty('GET', { path: setUpPath });
    expect(state.body).toEqual({ success: true, data: { open: true } });

    const check = await callEmpty('POST', { path: `${setUpPath}/check`, body: { set_up_token } });
    expect(check.body).toEqual({
      success: true,
      data: { valid_until: someTime },
    });

    const input = { set_up_token, account_name: 'Finch', name: 'Ann', email, password };
    for (const weak of ['short', 'password1234', email]) {
      const body = { ...input, password: weak };
      const refused = await callEmpty('POST', { path: setUpPath, body });
      expect(refused.body, weak).toMatchObject({ error: { details: { password: [someText] } } });
    }
    const allWrong = { ...input, account_name: '', name: '', email: 'x', password: 'password1234' };
    const refused = await callEmpty('POST', { path: setUpPath, body: allWrong });
    expect(Object.keys(detailsOf(refused)).toSorted()).toEqual([
      'account_name',
      'email',
      'name',
      'password',
    ]);
    const withoutLink = { ...allWrong, set_up_token: 'another' };
    const learnsLess = await callEmpty('POST', { path: setUpPath, body: withoutLink });
    expect(Object.keys(detailsOf(learnsLess)).toSorted()).toEqual([
      'account_name',
      'email',
      'name',
      'set_up_token',
    ]);

    const made = await callEmpty('POST', { path: setUpPath, body: input });
    expect(made.status).toBe(201);
    const session = await callEmpty('GET', { session: sessionTokenOf(made) });
    expect(session.body).toMatchObject({ data: { account: { name: 'Finch' }, role: 'owner' } });

    const closed = await callEmpty('GET', { path: setUpPath });
    expect(closed.body).toEqual({ success: true, data: { open: false } });
    const again = await callEmpty('POST', { path: setUpPath, body: input });
    expect(again.status).toBe(422);
    expect(again.body).toMatchObject({
      error: { details: { set_up_token: [someText] } },
    });
  });
});
