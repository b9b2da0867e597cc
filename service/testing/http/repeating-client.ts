import { eq } from 'drizzle-orm';
import { expect } from 'vitest';
import { apiKeyTokens } from '../../db/schema/api-keys/api-key-tokens.ts';
import { auditEntries } from '../../db/schema/audit.ts';
import { webhookSecrets } from '../../db/schema/webhooks/webhooks.ts';
import { dataOf, detailsOf, itemsOf } from '../api.ts';
import type { ApiResponse, TestApi, TestClient } from '../api.ts';

type ListedToken = {
  id: number;
  last_four: string;
  last_used_at: string | null;
  valid_until: string | null;
};
type Secret = typeof webhookSecrets.$inferSelect;

/**
 * A client that makes tokens and secrets with an `Idempotency-Key` (without one if it is null), and
 * sends the request again when the response is lost.
 */
export class RepeatingClient {
  readonly #api: TestApi;
  readonly #caller: TestClient;

  constructor(api: TestApi, caller: TestClient) {
    this.#api = api;
    this.#caller = caller;
  }

  /** The same client with another API key. */
  as(token: string): RepeatingClient {
    return new RepeatingClient(this.#api, this.#api.as(token));
  }

  async create(name: string | null, body: Record<string, unknown>): Promise<ApiResponse> {
    const key = { type: 'bot', ...body };
    return await this.#caller.post('/api/v1/api-keys', key, named(name));
  }

  async rotate(key: number, name: string | null, body: unknown = {}): Promise<ApiResponse> {
    const path = `/api/v1/api-keys/${key}/rotate`;
    return await this.#caller.post(path, body, named(name));
  }

  async regenerate(id: number, name: string | null, body: unknown = {}): Promise<ApiResponse> {
    const path = `/api/v1/webhooks/${id}/regenerate-secret`;
    return await this.#caller.post(path, body, named(name));
  }

  /** Uses a token; returns the status of the response. */
  async use(token: string): Promise<number> {
    return (await this.#api.as(token).get('/api/v1/api-key')).status;
  }

  async statuses(tokens: readonly string[]): Promise<number[]> {
    return await Promise.all(tokens.map((token) => this.use(token)));
  }

  async countKeys(name: string): Promise<number> {
    const keys = itemsOf(await this.#caller.get('/api/v1/api-keys'));
    return keys.filter((key) => key['name'] === name).length;
  }

  async tokensOf(id: number): Promise<ListedToken[]> {
    const response = await this.#caller.get(`/api/v1/api-keys/${id}`);
    return dataOf<{ tokens: ListedToken[] }>(response).tokens;
  }

  /** The stored secrets of a webhook, the newest first. */
  async secretsOf(webhookId: number): Promise<Secret[]> {
    return await this.#api.ctx.db.query.webhookSecrets.findMany({
      where: eq(webhookSecrets.webhookId, webhookId),
      orderBy: (row, { desc }) => desc(row.createdAt),
    });
  }

  openSecret({ sealed, uuid, accountId }: Secret): string {
    return this.#api.ctx.cipher.open(sealed, { table: 'webhook_secrets', uuid, accountId });
  }

  /** Everything that creating or rotating a key would change. */
  async everything(): Promise<unknown[]> {
    const { db } = this.#api.ctx;
    return [
      await db.query.apiKeys.findMany(),
      (await db.select().from(apiKeyTokens)).map(({ id, digest, validUntil }) => [
        id,
        digest.toString('hex'),
        validUntil,
      ]),
      await db.$count(auditEntries),
    ];
  }
}

export function named(name: string | null): Record<string, string> {
  return name === null ? {} : { 'Idempotency-Key': name };
}

export function expectRefusal(response: ApiResponse, message: string): void {
  expect(response.status).toBe(422);
  expect(detailsOf(response)).toEqual({ 'Idempotency-Key': [message] });
}
