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

type App = { key: string; code: () => string; recoveryCodes: string[] };

/**
 * `useApi` with another account for each test, and an owner of it who signed in. The limits of
 * earlier tests are over, and their emails deleted.
 */
export function useSignedInPerson() {
  const { ctx, api, account } = useApi({ accountFor: 'test' });
  const person = new TestPerson(ctx, { id: '', email: '' });
  beforeEach(async () => {
    ctx.clock.advance(90 * minuteMs);
    ctx.forgetRecords();
    Object.assign(person, await TestPerson.signedIn(ctx, { accountId: account.id, role: 'owner' }));
  });
  return { ctx, api, account, person };
}

/** A person who signs in and sets up second factors through the API, as the dashboard does it. */
export class TestPerson {
  readonly id: string;
  readonly email: string;
  readonly #ctx: TestContext;
  /** The token of the person's session, freshly proved after signing in. */
  session = '';

  constructor(ctx: TestContext, { id, email }: { id: string; email: string }) {
    this.#ctx = ctx;
    this.id = id;
    this.email = email;
  }

  /** Adds a person with `password`, and signs them in. */
  static async signedIn(
    ctx: TestContext,
    { accountId, role }: { accountId: AccountId; role: Role },
  ): Promise<TestPerson> {
    const passwordHash = await ctx.auth.hashPassword(password);
    const person = new TestPerson(ctx, await addPerson(ctx, { passwordHash }));
    await addMember(ctx, { accountId, personId: person.id, role });
    person.session = tokenIn(await person.signIn());
    return person;
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

  /** @param options.session null: as somebody who is not signed in */
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
        // Another address for each person, because limits on sign-ins from one address are not what
        // these tests are about.
        'X-Dashboard-Client': `203.0.113.${(this.id.codePointAt(0) ?? 0) % 250} Firefox`,
        ...(session !== null && { 'X-Dashboard-Session': session }),
        ...headers,
      },
      ...(body !== undefined && { body }),
    });
  }

  async signIn(options: { device_token?: unknown } = {}): Promise<ApiResponse> {
    this.#ctx.clock.advance(7000);
    const body = { email: this.email, password, ...options };
    return await this.call('POST', '/api/dashboard/session', { body, session: null });
  }

  /** Signs in with the password; returns the sign-in that waits for a second factor. */
  async beginSignIn(): Promise<PendingSignIn> {
    return pendingIn(await this.signIn());
  }

  async finish({ pending_token }: PendingSignIn, given: object): Promise<ApiResponse> {
    const body = { pending_token, ...given };
    return await this.call('POST', '/api/dashboard/session/second-factor', { body, session: null });
  }

  async prove(given: object): Promise<ApiResponse> {
    return await this.post('/api/dashboard/session/proof', given);
  }

  async isSignedIn(session = this.session): Promise<boolean> {
    return (await this.call('GET', '/api/dashboard/session', { session })).status === 200;
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

/** The session token that a sign-in or a proof returns. */
export function tokenIn(response: ApiResponse): string {
  expect(response.status).toBe(201);
  return dataOf<{ session_token: string }>(response).session_token;
}

/** The actions in the audit log of the account. */
export async function auditedActions(ctx: TestContext, accountId: AccountId): Promise<string[]> {
  const entries = await ctx.db
    .select()
    .from(auditEntries)
    .where(eq(auditEntries.accountId, accountId));
  return entries.map(({ action }) => action);
}
