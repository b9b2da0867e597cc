import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { Role } from '#lib/contract/rights/roles.ts';
import { bootContext } from '../../boot/boot-context.ts';
import type { Context } from '../../context.ts';
import { auditEntries } from '../../db/schema/audit.ts';
import type { AccountId } from '../../domain/account-id.ts';
import { TestAccount, TestApi } from '../api.ts';
import type { ApiResponse } from '../api.ts';
import type { TestContext } from '../context.ts';
import { addSupporter } from '../records/people.ts';
import { useContext } from '../use-api.ts';
import { TestPerson, tokenIn } from './test-person.ts';

export type SignedIn = { id: string; name: string; email: string; session: string };
export type Call = [method: string, path: string, body?: unknown];

export const reason = 'Ticket 4812: calls get a 401';

export const keys: Call = ['GET', '/api/v1/api-keys'];
export const session: Call = ['GET', '/api/dashboard/session'];
export const section: Call = ['GET', '/api/dashboard/installation-support'];
export const switchOff: Call = set({ is_allowed: false });

export function visit(because = reason): Call {
  return ['POST', '/api/dashboard/support-visits', { reason: because }];
}

export function set(body: unknown): Call {
  return ['PATCH', '/api/dashboard/installation-support', body];
}

export function search(text: string): Call {
  return ['GET', `/api/dashboard/accounts?search=${encodeURIComponent(text)}`];
}

export function requestRotation(key: { id: number }, member: { id: string }): Call {
  const path = `/api/dashboard/api-keys/${key.id}/rotation-requests`;
  return ['POST', path, { member: member.id, reason: 'lost' }];
}

/** The world of a suite, with another account for each test, and people who are signed in. */
export function useSupport() {
  const ctx = useContext({ config: { rateLimitPerMinute: 10_000 } });
  const world = new SupportWorld(ctx);
  const account = new TestAccount(world.api);
  const owner: SignedIn = { id: '', name: '', email: '', session: '' };
  const supporter = { ...owner };
  beforeAll(() => world.open());
  afterAll(() => world.close());
  beforeEach(async () => {
    const added = await world.addAccount();
    Object.assign(account, added.account);
    Object.assign(owner, added.owner);
    Object.assign(supporter, added.supporter);
  });
  return { ctx, world, account, owner, supporter };
}

/** Two processes on one database, an account, its owner, and someone of installation support. */
class SupportWorld {
  readonly ctx: TestContext;
  /** The other process. */
  readonly other = {} as Context;
  readonly api: TestApi;
  readonly otherApi: TestApi;
  #accountId: AccountId | null = null;

  constructor(ctx: TestContext) {
    this.ctx = ctx;
    this.api = new TestApi(ctx);
    this.otherApi = new TestApi(this.other);
  }

  async open(): Promise<void> {
    const { config, database, clock, silentLog: log, mail, dashboardCredential } = this.ctx;
    const booted = await bootContext({ config, database, clock, log });
    Object.assign(this.other, booted, { mail, dashboardCredential });
  }

  async close(): Promise<void> {
    await this.other.usage.stop();
    await this.other.limiter.close();
  }

  /** Adds an account, from whose pages calls come from now on. */
  async addAccount(): Promise<{ account: TestAccount; owner: SignedIn; supporter: SignedIn }> {
    this.ctx.clock.advance(60_000);
    const account = await this.api.account();
    this.#accountId = account.id;
    const owner = await this.signedIn('Nora Marlow', { accountId: account.id, role: 'owner' });
    return { account, owner, supporter: await this.signedIn('Priya Nair') };
  }

  /** Adds a person who is signed in: a member, or else installation support. */
  async signedIn(name: string, member?: { accountId: AccountId; role: Role }): Promise<SignedIn> {
    const person = await TestPerson.add(this.ctx, { name, ...member });
    if (!member) await addSupporter(this.ctx, person.id);
    const { id, email } = person;
    return { id, name, email, session: await person.openSession() };
  }

  async signIn(email: string): Promise<string> {
    return tokenIn(await this.tryToSignIn(email));
  }

  async tryToSignIn(email: string): Promise<ApiResponse> {
    return await new TestPerson(this.ctx, { id: '', email }).signIn();
  }

  /** @param options.page the account whose page the call comes from; null: a page of none */
  async call(
    person: Pick<SignedIn, 'session'>,
    [method, path, body]: Call,
    options: { on?: TestApi; page?: string | null } = {},
  ): Promise<ApiResponse> {
    const { on = this.api, page = this.#accountId } = options;
    const caller = { personId: person.session, pageOf: page ?? undefined };
    return await on.as(caller).call(method, path, { body });
  }

  /** The responses of the two processes. */
  async statuses(person: SignedIn, asked = keys): Promise<number[]> {
    const here = await this.call(person, asked);
    return [here.status, (await this.call(person, asked, { on: this.otherApi })).status];
  }

  /** The response for an account that does not exist. */
  async responseOfNone(person: SignedIn, asked: Call): Promise<[number, string]> {
    const { status, text } = await this.call(person, asked, { page: crypto.randomUUID() });
    return [status, text];
  }

  async auditOf(action: string, accountId = this.#accountId) {
    return await this.ctx.db
      .select()
      .from(auditEntries)
      .where(and(eq(auditEntries.accountId, accountId ?? ''), eq(auditEntries.action, action)))
      .orderBy(auditEntries.id);
  }
}
