import type { Hono } from 'hono';
import { feedMediaType } from '#lib/contract/events/event-feed.ts';
import { eventTypes } from '#lib/contract/events/events.ts';
import type { EventType } from '#lib/contract/events/events.ts';
import type { FilterRule } from '#lib/contract/webhooks/filter-rule.ts';
import type { KeyType } from '#lib/contract/api-keys/key-types.ts';
import type { Role } from '#lib/contract/rights/roles.ts';
import type { Scope } from '#lib/contract/api-keys/scopes.ts';
import type { Context } from '../context.ts';
import { mintAccountId } from '../domain/account-id.ts';
import type { AccountId } from '../domain/account-id.ts';
import type { PersonActor } from '../domain/actor.ts';
import { createApiKey } from '../domain/api-keys/create-api-key.ts';
import { updateApiKey } from '../domain/api-keys/update-api-key.ts';
import { createWebhook } from '../domain/webhooks/create-webhook.ts';
import { createApp } from '../http/app.ts';
import { addAccount, addMember, addPerson } from './records/people.ts';

/** How often nobody has called any API: those of one context share its limits. */
let strangers = 0;

export type ApiResponse = {
  status: number;
  headers: Headers;
  text: string;
  /** The body parsed as JSON, for assertions; null if it is not JSON. */
  body: unknown;
};

export type CallOptions = {
  token?: string;
  headers?: Record<string, string>;
  /** A string is sent unchanged, any other value as JSON. */
  body?: unknown;
};

export type Resource = { id: number } & Record<string, unknown>;

/** The `data` of a successful response, of whose type the test is sure. */
export function dataOf<Data = Resource>(response: Pick<ApiResponse, 'body'>): NoInfer<Data> {
  return (response.body as { data: Data }).data;
}

/** The items of a list. */
export function itemsOf<Item = Resource>(response: Pick<ApiResponse, 'body'>): NoInfer<Item>[] {
  return dataOf<Item[]>(response);
}

/** The cursor of the next page of a list; null on the last page. */
export function nextCursorOf(response: ApiResponse): string | null {
  return (response.body as { next_cursor: string | null }).next_cursor;
}

/** The details of an error, by field. */
export function detailsOf(response: ApiResponse): Record<string, string[]> {
  return (response.body as { error: { details: Record<string, string[]> } }).error.details;
}

/** The fields that a response refuses, sorted. Throws if it refuses none. */
export function refusedFields(response: ApiResponse): string[] {
  if (response.status !== 422) throw new Error(`${response.status} ${response.text}`);
  return Object.keys(detailsOf(response)).toSorted();
}

/** The text of a response, or the first piece of a stream that does not end by itself. */
async function textOf(response: Response): Promise<string> {
  if (response.headers.get('Content-Type') !== feedMediaType) return await response.text();
  const reader = response.body?.getReader();
  const piece = await reader?.read();
  await reader?.cancel();
  return new TextDecoder().decode(piece?.value);
}

/** The body parsed as JSON; null if it is not JSON. */
export function readJson(headers: Headers, text: string): unknown {
  const mediaType = headers.get('Content-Type')?.split(';')[0];
  return mediaType === 'application/json' && text !== '' ? JSON.parse(text) : null;
}

/** A person in front of the dashboard. */
export type TestPerson = Pick<PersonActor, 'personId'> & { pageOf?: string | undefined };

/** A member of a test account, as a verb receives them, who can also call the API. */
export type TestMember = PersonActor & TestClient;

/** An API key of a test account, which can call the API. */
export type TestKey = TestClient & { id: number; uuid: string; token: string; lastFour: string };

export type KeyOptions = {
  name?: string;
  type?: KeyType;
  scopes?: Scope[];
  expiresAt?: string;
  allowedCidrs?: string[];
  mayRotateItself?: true;
};

/** Calls the API of a test context like a client, but without a socket. */
export class TestApi {
  readonly ctx: Context;
  #app: Hono | undefined;

  constructor(ctx: Context) {
    this.ctx = ctx;
  }

  get app(): Hono {
    this.#app ??= createApp(this.ctx);
    return this.#app;
  }

  async call(method: string, path: string, options: CallOptions = {}): Promise<ApiResponse> {
    const { token, body } = options;
    const headers = new Headers({ 'x-client-address': '203.0.113.7', ...options.headers });
    if (token !== undefined) headers.set('Authorization', `Bearer ${token}`);
    if (body !== undefined && !headers.has('Content-Type')) {
      headers.set('Content-Type', 'application/json');
    }
    const response = await this.app.request(path, {
      method,
      headers,
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await textOf(response);
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: readJson(response.headers, text),
    };
  }

  /**
   * Calls as an API key, by its token, or as a person: then it sends what the dashboard's server
   * sends, from a page of the account `pageOf`, or from a page outside of any account.
   */
  as(caller: string | TestPerson): TestClient {
    return new TestClient(this, () => caller);
  }

  /**
   * Calls as someone in front of the dashboard who is not signed in. Each call comes from another
   * address, because limits are not what most tests are about.
   */
  asNobody(): TestClient {
    return new TestClient(this, () => null);
  }

  /** A new account with its owner. */
  async account(name?: string): Promise<TestAccount> {
    const account = new TestAccount(this, await addAccount(this.ctx, name));
    await account.member('owner');
    return account;
  }
}

/** One API key or person that calls the API of a test context. */
export class TestClient {
  readonly #api: TestApi;
  readonly #caller: () => string | TestPerson | null;

  constructor(api: TestApi, caller: () => string | TestPerson | null) {
    this.#api = api;
    this.#caller = caller;
  }

  /** A client of the same API that calls as someone else. */
  as(caller: string | TestPerson): TestClient {
    return this.#api.as(caller);
  }

  async get(path: string, headers?: Record<string, string>): Promise<ApiResponse> {
    return await this.call('GET', path, { headers });
  }

  async post(path: string, body?: unknown, headers?: Record<string, string>): Promise<ApiResponse> {
    return await this.call('POST', path, { body, headers });
  }

  async patch(path: string, body: unknown, headers?: Record<string, string>): Promise<ApiResponse> {
    return await this.call('PATCH', path, { body, headers });
  }

  async delete(
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<ApiResponse> {
    return await this.call('DELETE', path, { body, headers });
  }

  async call(
    method: string,
    path: string,
    { body, headers }: { body?: unknown; headers?: Record<string, string> | undefined } = {},
  ): Promise<ApiResponse> {
    const caller = this.#caller();
    if (typeof caller === 'string') {
      return await this.#api.call(method, path, { token: caller, headers: { ...headers }, body });
    }
    return await this.#api.call(method, path, {
      token: this.#api.ctx.dashboardCredential ?? '',
      headers: { ...headersOf(caller), ...headers },
      body,
    });
  }
}

function headersOf(caller: TestPerson | null): Record<string, string> {
  if (caller) {
    const { personId, pageOf } = caller;
    return {
      'X-Dashboard-Session': personId,
      ...(pageOf !== undefined && { 'X-Dashboard-Account': pageOf }),
    };
  }
  strangers += 1;
  return { 'X-Dashboard-Client': `10.1.${strangers >> 8}.${strangers & 255} Firefox` };
}

/** A member without a name yet, who calls as the person that is assigned to them. */
export function newMember(api: TestApi): TestMember {
  const member: TestMember = Object.assign(new TestClient(api, () => member), {} as PersonActor);
  return member;
}

/** The same for a key. */
export function newKey(api: TestApi): TestKey {
  const none = { id: 0, uuid: '', token: '', lastFour: '' };
  const key: TestKey = Object.assign(new TestClient(api, () => key.token), none);
  return key;
}

/** An account in a test, with functions that create members, keys and webhooks in it. */
export class TestAccount {
  readonly id: AccountId;
  readonly api: TestApi;
  readonly members = new Map<Role, TestMember>();

  /** @param id that of no account if left out, for an account that is assigned later */
  constructor(api: TestApi, id = mintAccountId(crypto.randomUUID())) {
    this.api = api;
    this.id = id;
  }

  /** The account's member with this role, created on first request. */
  async member(role: Role): Promise<TestMember> {
    const known = this.members.get(role);
    if (known) return known;
    const { ctx } = this.api;
    const person = await addPerson(ctx, { name: `Ida ${role}` });
    await addMember(ctx, { accountId: this.id, personId: person.id, role });
    const actor: PersonActor = {
      kind: 'person',
      accountId: this.id,
      origin: { ip: '203.0.113.7', userAgent: 'test', requestId: 'test' },
      personId: person.id,
      personName: person.name,
      email: person.email,
      role,
      support: { tokens: 'within_role', payloads: false, error_texts: false },
      provedAt: ctx.clock.now(),
    };
    const member = Object.assign(newMember(this.api), actor);
    this.members.set(role, member);
    return member;
  }

  /** Creates a webhook for every event type, as the owner. */
  async webhook(
    options: {
      name?: string;
      url?: string;
      isActive?: boolean;
      events?: EventType[];
      headers?: Record<string, string>;
      filter?: FilterRule;
    } = {},
  ): Promise<{ id: number; uuid: string }> {
    return await createWebhook(this.api.ctx, await this.member('owner'), {
      name: options.name ?? 'Hook',
      url: options.url ?? 'https://example.com/hook',
      events: options.events ?? eventTypes,
      is_active: options.isActive ?? true,
      ...(options.headers && { headers: options.headers }),
      ...(options.filter && { filter: options.filter }),
    });
  }

  /** Creates a key, as the owner. */
  async key(options: KeyOptions = {}): Promise<TestKey> {
    const { ctx } = this.api;
    const owner = await this.member('owner');
    const { apiKey, token } = await createApiKey(ctx, owner, {
      name: options.name ?? 'Production server',
      type: options.type ?? (options.scopes ? 'limited' : 'full'),
      ...(options.scopes && { scopes: options.scopes }),
      ...(options.expiresAt && { expires_at: options.expiresAt }),
      ...(options.allowedCidrs && { allowed_cidrs: options.allowedCidrs }),
    });
    if (options.mayRotateItself) {
      await updateApiKey(ctx, owner, { apiKey: apiKey.uuid, may_rotate_itself: true });
    }
    const { id, uuid, last_four: lastFour } = apiKey;
    return Object.assign(newKey(this.api), { id, uuid, token, lastFour });
  }
}
