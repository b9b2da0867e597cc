import type { Hono } from 'hono';
import { eventTypes } from '#lib/contract/events/events.ts';
import type { EventType } from '#lib/contract/events/events.ts';
import type { KeyType } from '#lib/contract/api-keys/key-types.ts';
import type { Role } from '#lib/contract/rights/roles.ts';
import type { Scope } from '#lib/contract/api-keys/scopes.ts';
import type { Context } from '../context.ts';
import type { AccountId } from '../domain/account-id.ts';
import type { PersonActor } from '../domain/actor.ts';
import { createApiKey } from '../domain/api-keys/create-api-key.ts';
import { updateApiKey } from '../domain/api-keys/update-api-key.ts';
import { createWebhook } from '../domain/webhooks/create-webhook.ts';
import { createApp } from '../http/app.ts';
import { addAccount, addMember, addPerson } from './records/people.ts';

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

/** The body parsed as JSON; null if it is not JSON. */
export function readJson(headers: Headers, text: string): unknown {
  const mediaType = headers.get('Content-Type')?.split(';')[0];
  return mediaType === 'application/json' && text !== '' ? JSON.parse(text) : null;
}

/** A person in front of the dashboard. */
export type TestPerson = Pick<PersonActor, 'personId'> & { pageOf?: string | undefined };

/** Calls the API of a test context like a client, but without a socket. */
export class TestApi {
  readonly ctx: Context;
  readonly app: Hono;

  constructor(ctx: Context) {
    this.ctx = ctx;
    this.app = createApp(ctx);
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
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: readJson(response.headers, text),
    };
  }

  /**
   * Calls as an API key, by its token, or as a person, with `withSessionsById`: then it sends what
   * the dashboard's server sends, from a page of the account `pageOf`, or from a page outside of any
   * account.
   */
  as(caller: string | TestPerson): TestClient {
    return new TestClient(this, caller);
  }

  /** A new account with its owner. */
  async account(): Promise<TestAccount> {
    const account = new TestAccount(this.ctx, await addAccount(this.ctx));
    await account.member('owner');
    return account;
  }
}

/** One API key or person that calls the API of a test context. */
export class TestClient {
  readonly #api: TestApi;
  readonly #token: string;
  readonly #headers: Record<string, string>;

  constructor(api: TestApi, caller: string | TestPerson) {
    this.#api = api;
    if (typeof caller === 'string') {
      this.#token = caller;
      this.#headers = {};
      return;
    }
    this.#token = api.ctx.dashboardCredential ?? '';
    this.#headers = {
      'X-Dashboard-Session': caller.personId,
      ...(caller.pageOf !== undefined && { 'X-Dashboard-Account': caller.pageOf }),
    };
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
    return await this.#api.call(method, path, {
      token: this.#token,
      headers: { ...this.#headers, ...headers },
      body,
    });
  }
}

export type TestKey = { id: number; uuid: string; token: string; lastFour: string };

/** An account in a test, with functions that create members, keys and webhooks in it. */
export class TestAccount {
  readonly id: AccountId;
  readonly #ctx: Context;
  readonly #members = new Map<Role, PersonActor>();

  constructor(ctx: Context, id: AccountId) {
    this.#ctx = ctx;
    this.id = id;
  }

  /** The account's member with this role, created on first request. */
  async member(role: Role): Promise<PersonActor> {
    const known = this.#members.get(role);
    if (known) return known;
    const person = await addPerson(this.#ctx, { name: `Ida ${role}` });
    await addMember(this.#ctx, { accountId: this.id, personId: person.id, role });
    const actor: PersonActor = {
      kind: 'person',
      accountId: this.id,
      origin: { ip: '203.0.113.7', userAgent: 'test', requestId: 'test' },
      personId: person.id,
      personName: person.name,
      email: person.email,
      role,
      support: { tokens: 'within_role', payloads: false, error_texts: false },
      provedAt: this.#ctx.clock.now(),
    };
    this.#members.set(role, actor);
    return actor;
  }

  /** Creates a webhook for every event type, as the owner. */
  async webhook(
    options: { name?: string; url?: string; isActive?: boolean; events?: EventType[] } = {},
  ): Promise<{ id: number; uuid: string }> {
    return await createWebhook(this.#ctx, await this.member('owner'), {
      name: options.name ?? 'Hook',
      url: options.url ?? 'https://example.com/hook',
      events: options.events ?? eventTypes,
      is_active: options.isActive ?? true,
    });
  }

  /** Creates a key, as the owner. */
  async key(
    options: {
      name?: string;
      type?: KeyType;
      scopes?: Scope[];
      expiresAt?: string;
      allowedCidrs?: string[];
      mayRotateItself?: true;
    } = {},
  ): Promise<TestKey> {
    const owner = await this.member('owner');
    const { apiKey, token } = await createApiKey(this.#ctx, owner, {
      name: options.name ?? 'Production server',
      type: options.type ?? (options.scopes ? 'limited' : 'full'),
      ...(options.scopes && { scopes: options.scopes }),
      ...(options.expiresAt && { expires_at: options.expiresAt }),
      ...(options.allowedCidrs && { allowed_cidrs: options.allowedCidrs }),
    });
    if (options.mayRotateItself) {
      const change = { apiKey: apiKey.uuid, may_rotate_itself: true };
      await updateApiKey(this.#ctx, owner, change);
    }
    return { id: apiKey.id, uuid: apiKey.uuid, token, lastFour: apiKey.last_four };
  }
}
