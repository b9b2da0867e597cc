import { eq } from 'drizzle-orm';
import { beforeEach, expect } from 'vitest';
import type { Role } from '#lib/contract/rights/roles.ts';
import { auditEntries } from '../../db/schema/audit.ts';
import type { AccountId } from '../../domain/account-id.ts';
import { dataOf, TestApi } from '../api.ts';
import type { ApiResponse } from '../api.ts';
import type { TestContext } from '../context.ts';
import { addMember, addPerson } from '../records/people.ts';
import { useApi } from '../use-api.ts';

type ListedSession = { id: string; is_current: boolean };

type SignInOptions = {
  browser?: string;
  /** The session that the browser already has. */
  earlierSession?: string;
};

export const password = 'correct horse battery';

/** `useApi` with another account for each test, and an admin of it who has no session yet. */
export function usePersonWithSessions() {
  const { ctx, account } = useApi({ accountFor: 'test' });
  const person = new PersonWithSessions(ctx, { id: '', email: '' });
  beforeEach(async () => {
    ctx.clock.advance(60_000);
    const member = { accountId: account.id, role: 'admin' } as const;
    Object.assign(person, await PersonWithSessions.add(ctx, member));
  });
  return { ctx, account, person };
}

/** A person who signs in several times, and calls the dashboard's API with any of the sessions. */
export class PersonWithSessions {
  readonly id: string;
  readonly email: string;
  readonly #ctx: TestContext;
  readonly #api: TestApi;

  constructor(ctx: TestContext, { id, email }: { id: string; email: string }) {
    this.#ctx = ctx;
    this.#api = new TestApi(ctx);
    this.id = id;
    this.email = email;
  }

  static async add(
    ctx: TestContext,
    { accountId, role }: { accountId: AccountId; role: Role },
  ): Promise<PersonWithSessions> {
    const passwordHash = await ctx.auth.hashPassword(password);
    const { id, email } = await addPerson(ctx, { passwordHash });
    await addMember(ctx, { accountId, personId: id, role });
    return new PersonWithSessions(ctx, { id, email });
  }

  async tryToSignIn(given = password, options: SignInOptions = {}): Promise<ApiResponse> {
    const { browser = '192.0.2.9 Firefox', earlierSession } = options;
    return await this.#api.call('POST', '/api/dashboard/session', {
      token: this.#ctx.dashboardCredential,
      headers: { 'X-Dashboard-Client': browser },
      body: {
        email: this.email,
        password: given,
        ...(earlierSession !== undefined && { earlier_session: earlierSession }),
      },
    });
  }

  /** Opens a session; returns its token. */
  async signIn(options?: SignInOptions): Promise<string> {
    const response = await this.tryToSignIn(password, options);
    expect(response.status).toBe(201);
    return tokenIn(response);
  }

  async get(session: string, path: string): Promise<ApiResponse> {
    return await this.#call(session, ['GET', path]);
  }

  async post(session: string, path: string, body: unknown): Promise<ApiResponse> {
    return await this.#call(session, ['POST', path, body]);
  }

  async delete(session: string, path: string): Promise<ApiResponse> {
    return await this.#call(session, ['DELETE', path]);
  }

  async #call(
    session: string,
    [method, path, body]: [method: string, path: string, body?: unknown],
  ): Promise<ApiResponse> {
    const headers = { 'X-Dashboard-Client': '192.0.2.9 Firefox' };
    return await this.#api.as({ personId: session }).call(method, path, { body, headers });
  }

  async read(session: string): Promise<ApiResponse> {
    return await this.get(session, '/api/dashboard/session');
  }

  async isSignedIn(session: string): Promise<boolean> {
    return (await this.read(session)).status === 200;
  }

  async list(session: string): Promise<ListedSession[]> {
    const response = await this.get(session, '/api/dashboard/sessions');
    expect(response.status).toBe(200);
    return dataOf<ListedSession[]>(response);
  }

  async idOf(session: string): Promise<string> {
    return (await this.list(session)).find((each) => each.is_current)?.id ?? '';
  }

  async prove(session: string, given = password): Promise<ApiResponse> {
    return await this.post(session, '/api/dashboard/session/proof', { password: given });
  }
}

/** The session token that signing in, a proof or a new password returns. */
export function tokenIn(response: ApiResponse): string {
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
