import { expect } from 'vitest';

const writers = 4;

/** An API client that causes events, and remembers which of them were acknowledged. */
export class DeliveryClient {
  /** Uuids of the messages that were acknowledged. */
  readonly acknowledged = new Set<string>();
  /** The webhooks it created, each with its own path at the receiver. */
  readonly webhooks: { id: number; path: string }[] = [];
  readonly token: string;
  #conversation = 0;

  constructor(token: string) {
    this.token = token;
  }

  async addWebhooks(
    origin: string,
    receiverOrigin: string,
    count: number,
  ): Promise<readonly { id: number; path: string }[]> {
    const { id } = await this.#post(origin, '/conversations', { subject: 'Order 1042' });
    this.#conversation = id;
    for (let made = 1; made <= count; made += 1) {
      const path = `/hook-${made}`;
      const webhook = await this.#post(origin, '/webhooks', {
        name: path,
        url: `${receiverOrigin}${path}`,
        events: ['message.created'],
      });
      this.webhooks.push({ id: webhook.id, path });
    }
    return this.webhooks;
  }

  /** Causes one event for each of the webhooks. @throws if there is no response */
  async publish(origin: string): Promise<void> {
    const message = await this.#post(origin, `/conversations/${this.#conversation}/messages`, {
      author: 'agent',
      text: 'It is on its way.',
    });
    this.acknowledged.add(message.uuid);
  }

  /** Causes events as fast as they are acknowledged, until it is stopped or the service dies. */
  publishUntilStopped(origin: string): { stop(): Promise<void> } {
    const stopping = new AbortController();
    const write = async () => {
      while (!stopping.signal.aborted) await this.publish(origin);
    };
    // The errors of `fetch` when the service has died.
    const isGone = (error: unknown) => {
      if (!(error instanceof TypeError)) throw error;
    };
    const ended = Promise.all(Array.from({ length: writers }, () => write().catch(isGone)));
    return {
      async stop() {
        stopping.abort();
        await ended;
      },
    };
  }

  /** Waits until nothing is pending for these webhooks, by default for all of them. */
  async settled(
    origin: string,
    webhooks: readonly { id: number }[] = this.webhooks,
  ): Promise<void> {
    for (const { id } of webhooks) {
      const pending = async () =>
        await this.get(origin, `/webhooks/${id}/deliveries?status=pending`);
      await expect.poll(pending, { timeout: 60_000, interval: 100 }).toEqual([]);
    }
  }

  /** The `data` of the response at a path of the API. */
  async get(origin: string, path: string): Promise<unknown> {
    const response = await fetch(`${origin}/api/v1${path}`, {
      headers: { Authorization: `Bearer ${this.token}` },
    });
    return ((await response.json()) as { data: unknown }).data;
  }

  async #post(origin: string, path: string, body: unknown): Promise<{ id: number; uuid: string }> {
    const response = await fetch(`${origin}/api/v1${path}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${this.token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`POST ${path} got the status ${response.status}: ${text}`);
    return (JSON.parse(text) as { data: { id: number; uuid: string } }).data;
  }
}
