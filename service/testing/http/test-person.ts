import { eq } from 'drizzle-orm';
import { beforeEach, expect } from 'vitest';
import type { PasskeyAssertion, PendingSignIn } from '#lib/contract/people/second-factors.ts';
import { minuteMs } from '#lib/durations.ts';
import type { Role } from '#lib/contract/rights/roles.ts';
import { auditEntries } from '../../db/schema/audit.ts';
import type { AccountId } from '../../domain/account-id.ts';
import { dataOf, TestApi } from '../api.ts';
import type { ApiResponse, Resource } from '../api.ts';
import type { TestContext } from '../context.ts';
import { addMember, addPerson } from '../records/people.ts';
import { codeOf } from '../records/second-factors.ts';
import { useApi } from '../use-api.ts';
import { SoftwareAuthenticator } from '../software-authenticator.ts';

export const password = 'correct horse battery';

type ListedSession = { id: string; is_current: boolean };
type App = { key: string; code: () => string; recoveryCodes: string[] };

type SignInOptions = {
  password?: string;
  browser?: string;
  /** The session that the browser already has. */
  earlierSession?: string;
  deviceToken?: unknown;
};

/**
 * `useApi` with another account for each test, and a member of it with `password`, who has no
 * session yet unless they are signed in. The limits of earlier tests are over, and their emails
 * deleted.
 */
export function usePerson(role: Role, { isSignedIn = false } = {}) {
  const { ctx, api, account } = useApi({ accountFor: 'test' });
  const person = new TestPerson(ctx, { id: '', email: '' });
  beforeEach(async () => {
    ctx.clock.advance(90 * minuteMs);
    ctx.forgetRecords();
    const added = await TestPerson.add(ctx, { accountId: account.id, role });
    Object.assign(person, isSignedIn ? added.in(await added.openSession()) : added);
  });
  return { ctx, api, account, person };
}

/** A person who signs in and sets up second factors through the API, as the dashboard does it. */
export class TestPerson {
  readonly id: string;
  readonly email: string;
  readonly #ctx: TestContext;
  /** The token of the session in which they call, freshly proved after signing in. */
  session = '';

  constructor(ctx: TestContext, { id, email }: { id: string; email: string }) {
    this.#ctx = ctx;
    this.id = id;
    this.email = email;
  }

  /** Adds someone with `password`: a member, or else a person of no account. */
  static async add(
    ctx: TestContext,
    member: { name?: string } & Partial<{ accountId: AccountId; role: Role }>,
  ): Promise<TestPerson> {
    const { name, accountId, role } = member;
    const passwordHash = await ctx.auth.hashPassword(password);
    const added = await addPerson(ctx, { passwordHash, ...(name !== undefined && { name }) });
    if (accountId && role) await addMember(ctx, { accountId, personId: added.id, role });
    return new TestPerson(ctx, added);
  }

  static async signedIn(...[ctx, member]: Parameters<typeof TestPerson.add>): Promise<TestPerson> {
    const person = await TestPerson.add(ctx, member);
    return person.in(await person.openSession());
  }

  /** The same person in another session. */
  in(session: string): TestPerson {
    return Object.assign(new TestPerson(this.#ctx, this), { session });
  }

  async get(path: string, headers?: Record<string, string>): Promise<ApiResponse> {
    return await this.call('GET', path, { headers });
  }

  async post(path: string, body?: unknown, headers?: Record<string, string>): Promise<ApiResponse> {
    return await this.call('POST', path, { body, headers });
  }

  async patch(path: string, body: unknown): Promise<ApiResponse> {
    return await this.call('PATCH', path, { body });
  }

  async delete(path: string): Promise<ApiResponse> {
    return await this.call('DELETE', path);
  }

  /** @param options.session null: as someone who is not signed in */
  async call(
    method: string,
    path: string,
    options: {
      body?: unknown;
      headers?: Record<string, string> | undefined;
      session?: string | null;
    } = {},
  ): Promise<ApiResponse> {
    const { body, headers, session = this.session } = options;
    return await new TestApi(this.#ctx).call(method, path, {
      token: this.#ctx.dashboardCredential,
      headers: {
        'X-Dashboard-Client': '192.0.2.9 Firefox',
        ...(session !== null && { 'X-Dashboard-Session': session }),
        ...headers,
      },
      ...(body !== undefined && { body }),
    });
  }

  /** Time passes, because limits on sign-ins are not what these tests are about. */
  async signIn(options: SignInOptions = {}): Promise<ApiResponse> {
    this.#ctx.clock.advance(7000);
    const { password: given = password, browser, earlierSession, deviceToken } = options;
    return await this.call('POST', '/api/dashboard/session', {
      session: null,
      ...(browser !== undefined && { headers: { 'X-Dashboard-Client': browser } }),
      body: {
        email: this.email,
        password: given,
        earlier_session: earlierSession,
        device_token: deviceToken,
      },
    });
  }

  /** Signs in with the password alone; returns the token of the session. */
  async openSession(options?: SignInOptions): Promise<string> {
    return tokenIn(await this.signIn(options));
  }

  /** Signs in with the password; returns the sign-in that waits for a second factor. */
  async beginSignIn(): Promise<PendingSignIn> {
    return pendingIn(await this.signIn());
  }

  async finish({ pending_token }: PendingSignIn, given: object): Promise<ApiResponse> {
    const body = { pending_token, ...given };
    return await this.call('POST', '/api/dashboard/session/second-factor', { body, session: null });
  }

  async prove(given: object = { password }): Promise<ApiResponse> {
    return await this.post('/api/dashboard/session/proof', given);
  }

  async read(session = this.session): Promise<ApiResponse> {
    return await this.in(session).get('/api/dashboard/session');
  }

  async isSignedIn(session = this.session): Promise<boolean> {
    return (await this.read(session)).status === 200;
  }

  async list(session = this.session): Promise<ListedSession[]> {
    const response = await this.in(session).get('/api/dashboard/sessions');
    expect(response.status).toBe(200);
    return dataOf<ListedSession[]>(response);
  }

  /** The id of a session. */
  async idOf(session: string): Promise<string> {
    return (await this.list(session)).find((each) => each.is_current)?.id ?? '';
  }

  async factors(): Promise<Resource> {
    return dataOf(await this.get('/api/dashboard/second-factors'));
  }

  async addApp(): Promise<App> {
    const { key } = await this.startApp();
    const response = await this.confirmApp(codeOf(key, this.#ctx.clock.now()));
    expect(response.status).toBe(201);
    const { recovery_codes: codes } = dataOf<{ recovery_codes?: string[] }>(response);
    this.#ctx.clock.advance(30_000);
    return { key, code: () => codeOf(key, this.#ctx.clock.now()), recoveryCodes: codes ?? [] };
  }

  async startApp(): Promise<{ key: string; uri: string }> {
    return dataOf<{ key: string; uri: string }>(
      await this.post('/api/dashboard/second-factors/app'),
    );
  }

  async confirmApp(code: string): Promise<ApiResponse> {
    return await this.post('/api/dashboard/second-factors/app/confirm', { code });
  }

  async addPasskey(name?: string): Promise<SoftwareAuthenticator> {
    const authenticator = new SoftwareAuthenticator();
    expect((await this.createPasskey(authenticator, name)).status).toBe(201);
    return authenticator;
  }

  async createPasskey(authenticator: SoftwareAuthenticator, name = 'Laptop'): Promise<ApiResponse> {
    const options = dataOf(await this.post('/api/dashboard/second-factors/passkeys/options'));
    const passkey = authenticator.create({ options, origin: this.#ctx.config.publicUrl.origin });
    return await this.post('/api/dashboard/second-factors/passkeys', { name, passkey });
  }

  /** The response of the passkey to the challenge for this sign-in. */
  async signedFor(
    { pending_token }: PendingSignIn,
    passkey: SoftwareAuthenticator,
    origin = this.#ctx.config.publicUrl.origin,
  ): Promise<PasskeyAssertion> {
    const path = '/api/dashboard/session/second-factor/passkey-options';
    const asked = await this.call('POST', path, { body: { pending_token }, session: null });
    return passkey.get({ options: dataOf(asked), origin });
  }
}

function pendingIn(response: ApiResponse): PendingSignIn {
  expect(response.status).toBe(202);
  return dataOf<PendingSignIn>(response);
}

/** The session token that signing in, a proof or a new password returns. */
export function tokenIn(response: ApiResponse): string {
  expect([200, 201]).toContain(response.status);
  return dataOf<{ session_token: string }>(response).session_token;
}

/** The audit log of an account, the oldest entry first. */
export async function auditOf(ctx: TestContext, accountId: AccountId) {
  const entries = await ctx.db
    .select()
    .from(auditEntries)
    .where(eq(auditEntries.accountId, accountId))
    .orderBy(auditEntries.id);
  return entries.map(({ action, actor, changes, ip }) => ({ action, by: actor.id, changes, ip }));
}

export async function auditedActions(ctx: TestContext, accountId: AccountId): Promise<string[]> {
  return (await auditOf(ctx, accountId)).map(({ action }) => action);
}
