import { and, eq } from 'drizzle-orm';
import { beforeEach } from 'vitest';
import { dayMs } from '#lib/durations.ts';
import { deliveries } from '../../db/schema/webhooks/deliveries.ts';
import { replays } from '../../db/schema/webhooks/replays.ts';
import { webhooks } from '../../db/schema/webhooks/webhooks.ts';
import { dataOf, itemsOf } from '../api.ts';
import type { ApiResponse, Resource, TestAccount, TestClient } from '../api.ts';
import { addAttempt, addDelivery, addEvent } from '../records/deliveries.ts';
import type { DeliveryInTest, EventInTest } from '../records/deliveries.ts';

type Options = {
  account: TestAccount;
  /** Makes the calls, unless a call names another client. */
  caller: TestClient;
};

/** Another webhook of the account for each test. */
export function useWebhook(
  options: Options,
  input: Parameters<TestAccount['webhook']>[0] = {},
): TestWebhook {
  const webhook = new TestWebhook({ id: 0, uuid: '' }, options);
  beforeEach(async () => {
    Object.assign(webhook, await options.account.webhook(input));
  });
  return webhook;
}

/** A webhook, with what an API key of its account asks of it and what the database has of it. */
export class TestWebhook {
  readonly id: number;
  readonly uuid: string;
  readonly #account: TestAccount;
  readonly #caller: TestClient;

  constructor({ id, uuid }: { id: number; uuid: string }, { account, caller }: Options) {
    this.id = id;
    this.uuid = uuid;
    this.#account = account;
    this.#caller = caller;
  }

  async read(): Promise<Resource> {
    return dataOf(await this.#caller.get(`/api/v1/webhooks/${this.id}`));
  }

  async patch(body: unknown): Promise<ApiResponse> {
    return await this.#caller.patch(`/api/v1/webhooks/${this.id}`, body);
  }

  async sendTest(body?: unknown, as = this.#caller): Promise<ApiResponse> {
    return await as.post(`/api/v1/webhooks/${this.id}/test`, body);
  }

  async statistics(query = '', as = this.#caller): Promise<ApiResponse> {
    return await as.get(`/api/v1/webhooks/${this.id}/statistics${query}`);
  }

  async totals(): Promise<ApiResponse> {
    return await this.#caller.get(`/api/v1/webhooks/${this.id}/deliveries/totals`);
  }

  async listDeliveries(query = '', as = this.#caller): Promise<ApiResponse> {
    return await as.get(`/api/v1/webhooks/${this.id}/deliveries${query}`);
  }

  async listedIds(query: string): Promise<number[]> {
    return itemsOf(await this.listDeliveries(query)).map(({ id }) => id);
  }

  async getDelivery(reference: unknown, as = this.#caller): Promise<ApiResponse> {
    return await as.get(`/api/v1/deliveries/${String(reference)}`);
  }

  async retry(reference: unknown, as = this.#caller): Promise<ApiResponse> {
    return await as.post(`/api/v1/deliveries/${String(reference)}/retry`);
  }

  async replay(body: unknown, as = this.#caller): Promise<ApiResponse> {
    return await as.post(`/api/v1/webhooks/${this.id}/replays`, body);
  }

  /** Begins a replay, by default of what happened in the last second; returns its UUID. */
  async beginReplay(
    status: 'failed' | 'all' | 'pending',
    since = this.#account.api.ctx.clock.now().getTime() - 1000,
  ): Promise<string> {
    const body = { since: new Date(since).toISOString(), status };
    return String(dataOf(await this.replay(body))['uuid']);
  }

  /** The number of events that a replay of the last second would queue. */
  async countOf(status: 'failed' | 'all'): Promise<unknown> {
    const since = new Date(this.#account.api.ctx.clock.now().getTime() - 1000).toISOString();
    return dataOf(await this.replay({ since, status, dry_run: true }))['count'];
  }

  async getReplay(uuid: unknown, as = this.#caller): Promise<ApiResponse> {
    return await as.get(`/api/v1/replays/${String(uuid)}`);
  }

  async readReplay(uuid: string): Promise<Resource> {
    return dataOf(await this.getReplay(uuid));
  }

  async cancelReplay(uuid: unknown, as = this.#caller): Promise<ApiResponse> {
    return await as.post(`/api/v1/replays/${String(uuid)}/cancel`);
  }

  /** Adds an event, and its delivery to this webhook in this state. */
  async deliver(state: Partial<DeliveryInTest> = {}): Promise<DeliveryInTest> {
    const event = await addEvent(this.#account.api.ctx, this.#account.id);
    return await addDelivery(this.#account.api.ctx, event, { webhookId: this.id, ...state });
  }

  /** Adds an event that arrives with its second attempt. */
  async deliverAtSecondAttempt(): Promise<{ event: EventInTest; arrivedAt: Date }> {
    const { ctx } = this.#account.api;
    const event = await addEvent(ctx, this.#account.id);
    const delivery = await addDelivery(ctx, event, {
      webhookId: this.id,
      status: 'delivered',
      attemptCount: 2,
    });
    await addAttempt(ctx, delivery, { statusCode: 500 });
    await addAttempt(ctx, delivery, { number: 2, durationMs: 200 });
    return { event, arrivedAt: new Date(ctx.clock.now().getTime() + 200) };
  }

  /** The stored deliveries. */
  async deliveries(): Promise<DeliveryInTest[]> {
    return await this.#account.api.ctx.db.query.deliveries.findMany({
      where: eq(deliveries.webhookId, this.id),
    });
  }

  async stored({ id }: DeliveryInTest): Promise<DeliveryInTest | undefined> {
    return (await this.deliveries()).find((row) => row.id === id);
  }

  async deliveryOf(event: EventInTest): Promise<DeliveryInTest | undefined> {
    return (await this.deliveries()).find(({ eventId }) => eventId === event.id);
  }

  /** The stored replays. */
  async replays(): Promise<(typeof replays.$inferSelect)[]> {
    return await this.#account.api.ctx.db.query.replays.findMany({
      where: eq(replays.webhookId, this.id),
    });
  }

  /** Marks the pending deliveries as delivered. */
  async deliverPending(): Promise<void> {
    await this.#account.api.ctx.db
      .update(deliveries)
      .set({ status: 'delivered', dueAt: null })
      .where(and(eq(deliveries.webhookId, this.id), eq(deliveries.status, 'pending')));
  }

  /**
   * Makes the webhook older than every window of statistics, so that data stays in the bucket where
   * the test puts it.
   */
  async makeOld(): Promise<void> {
    const createdAt = new Date(this.#account.api.ctx.clock.now().getTime() - 40 * dayMs);
    await this.#account.api.ctx.db
      .update(webhooks)
      .set({ createdAt })
      .where(eq(webhooks.id, this.id));
  }
}
