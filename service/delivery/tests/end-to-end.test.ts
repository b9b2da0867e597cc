import { eq } from 'drizzle-orm';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, afterEach, describe, expect, test } from 'vitest';
import type { Sender } from '../sending/attempt.ts';
import { decideOutcome } from '../outcome/decide-outcome.ts';
import { createSender } from '../sending/send.ts';
import { startWorker, type Worker } from '../worker.ts';
import { defaultLimits, workerPaces } from '../worker-pace.ts';
import { startReplays } from '../../domain/replays/advance-replays.ts';
import { webhookSecrets } from '../../db/schema/webhooks/webhooks.ts';
import { createMetrics } from '../../metrics.ts';
import { dataOf, itemsOf, TestApi } from '../../testing/api.ts';
import type { ApiResponse } from '../../testing/api.ts';
import { eventually } from '../../testing/delivery/delivery-worker.ts';
import { respond, startReceiver } from '../../testing/delivery/receiver.ts';
import type { ReceivedRequest, Receiver } from '../../testing/delivery/receiver.ts';
import { useContext } from '../../testing/use-api.ts';

const metrics = createMetrics();

const ctx = useContext({
  config: { webhookAllowHttp: true, webhookAllowedCidrs: ['127.0.0.0/8'] },
});
let api: TestApi;
let sender: Sender;
let worker: Worker;
let replays: { stop(): Promise<void> };
beforeAll(async () => {
  // The reference library compares the signed time with the time of this machine.
  ctx.clock.advance(Date.now() - ctx.clock.now().getTime());
  api = new TestApi(ctx);
  sender = createSender(ctx);
  worker = startWorker(ctx, {
    sender,
    decideOutcome,
    metrics,
    pace: { ...workerPaces.pglite, sweepMs: 200 },
    limits: { ...defaultLimits, sockets: 2048 },
  });
  replays = startReplays(ctx);
});
afterAll(async () => {
  await replays.stop();
  await worker.stop();
  await sender.close();
  // No process died: every delivery was announced when it came due.
  expect(await metrics.text()).toMatch(/^webhook_deliveries_repaired_total 0$/m);
});

let receiver: Receiver;
let token: string;
let webhook: string;
let conversation: number;
beforeEach(async () => {
  receiver = await startReceiver();
  token = (await (await api.account()).key()).token;
  webhook = await addWebhook(receiver);
  conversation = dataOf(await post('/conversations', { subject: 'Where is order 1042?' })).id;
});
afterEach(async () => {
  await api.call('DELETE', webhook, { token });
  await receiver.close();
});

describe('a message', () => {
  test('arrives signed with the secret that was shown, and is listed as delivered', async () => {
    const { secret } = dataOf(await post(`${webhook}/regenerate-secret`));
    const message = dataOf(await say('It is on its way.'));
    await receiver.received(1);
    const [request] = receiver.requests;
    expect(verified(request, secret)).toMatchObject({
      type: 'message.created',
      data: { message: { uuid: message['uuid'], text: 'It is on its way.' } },
    });
    await eventually(() => statuses()).toEqual(['delivered']);
    const [delivery] = itemsOf(await get(`${webhook}/deliveries`));
    expect(dataOf(await get(`/deliveries/${delivery?.id}`))).toMatchObject({
      event: { uuid: String(request?.headers['webhook-id']).replace('msg_', '') },
      attempts: [{ number: 1, status_code: 204, request: { body: request?.body } }],
    });
  });

  test('is signed from the first delivery on, before anyone was shown a secret, and with both after', async () => {
    const [made] = await storedSecrets();
    await say();
    await receiver.received(1);
    const [first] = receiver.requests;
    expect(signaturesOf(first)).toHaveLength(1);
    expect(verified(first, made)).toMatchObject({ type: 'message.created' });

    const { secret } = dataOf(await post(`${webhook}/regenerate-secret`));
    await say();
    await receiver.received(2);
    const [, second] = receiver.requests;
    expect(signaturesOf(second)).toHaveLength(2);
    expect(verified(second, secret)).toEqual(verified(second, made));

    const alone = await post(`${webhook}/regenerate-secret`, { grace_period_seconds: 0 });
    await say();
    await receiver.received(3);
    const [, , third] = receiver.requests;
    expect(signaturesOf(third)).toHaveLength(1);
    expect(verified(third, dataOf(alone)['secret'])).toMatchObject({ type: 'message.created' });
  });

  test('is signed with the secret of a repeated request that replaced a lost one, and no repeat follows', async () => {
    const regenerate = () =>
      api.call('POST', `${webhook}/regenerate-secret`, {
        token,
        headers: { 'Idempotency-Key': 'lost' },
      });
    const lost = dataOf(await regenerate())['secret'];
    const { secret } = dataOf(await regenerate());
    await say();
    await receiver.received(1);
    const [request] = receiver.requests;
    // The other signature uses the secret that the webhook was created with.
    expect(signaturesOf(request)).toHaveLength(2);
    expect(verified(request, secret)).toMatchObject({ type: 'message.created' });
    expect(() => verified(request, lost)).toThrow('No matching signature found');
    await eventually(() => statuses()).toEqual(['delivered']);
    expect((await regenerate()).status).toBe(422);
  });
});

describe('a webhook', () => {
  test('gets a test before the messages that wait for it', async () => {
    const released = Promise.withResolvers<void>();
    receiver.respondWith(async (exchange) => {
      await released.promise;
      await respond(204)(exchange);
    });
    for (let said = 0; said < 24; said += 1) await say();
    await receiver.received(2);
    expect((await post(`${webhook}/test`, {})).status).toBe(202);
    // The holder of the lane reads it again after the notification.
    await eventually(async () =>
      (await ctx.db.query.lanes.findMany()).some((lane) => lane.isDirty),
    ).toBe(false);
    released.resolve();
    await receiver.received(25);
    const place = receiver.requests.findIndex(({ body }) => body.includes('webhook.test'));
    expect(place).toBeGreaterThanOrEqual(2);
    expect(place).toBeLessThan(2 + 8);
  });

  test('gets a window of the past again, marked as a replay', async () => {
    const since = ctx.clock.now().toISOString();
    for (let said = 0; said < 3; said += 1) await say();
    await eventually(() => statuses()).toEqual(['delivered', 'delivered', 'delivered']);
    ctx.clock.advance(1000);
    const begun = await post(`${webhook}/replays`, { since, status: 'all' });
    expect(begun.status).toBe(201);
    const { uuid } = dataOf(begun);
    await receiver.received(6);
    const again = receiver.requests.slice(3);
    expect(again.map(({ headers }) => headers['webhook-replay'])).toEqual([uuid, uuid, uuid]);
    expect(new Set(messageIds()).size).toBe(3);
    await eventually(() => statuses()).toEqual(['delivered', 'delivered', 'delivered']);
    expect(dataOf(await get(`/replays/${uuid}`))).toMatchObject({ state: 'done', total: 3 });
  });

  test('that is resumed with its backlog gets exactly what it missed', async () => {
    await say('before');
    await receiver.received(1);
    await eventually(() => statuses()).toEqual(['delivered']);
    ctx.clock.advance(1000);
    await change({ is_active: false });
    for (const text of ['missed 1', 'missed 2', 'missed 3']) await say(text);
    ctx.clock.advance(60_000);
    expect(receiver.requests).toHaveLength(1);

    await change({ is_active: true, backlog: 'deliver' });
    ctx.clock.advance(6000);
    await receiver.received(4);
    await eventually(() => statuses()).toEqual(Array.from({ length: 4 }, () => 'delivered'));
    await say('after');
    await receiver.received(5);
    expect(texts().toSorted()).toEqual(['after', 'before', 'missed 1', 'missed 2', 'missed 3']);
  });
});

/** Creates a webhook for messages, and returns its path. */
async function addWebhook({ origin }: Receiver): Promise<string> {
  const made = await post('/webhooks', {
    name: 'Receiver',
    url: `${origin}/hook`,
    events: ['message.created'],
  });
  return `/api/v1/webhooks/${dataOf(made).id}`;
}

async function say(text = 'Hello'): Promise<ApiResponse> {
  return await post(`/conversations/${conversation}/messages`, { author: 'agent', text });
}

async function change(body: unknown): Promise<void> {
  expect((await api.call('PATCH', webhook, { token, body })).status).toBe(200);
}

async function post(path: string, body?: unknown): Promise<ApiResponse> {
  return await api.call('POST', under(path), { token, body });
}

async function get(path: string): Promise<ApiResponse> {
  return await api.call('GET', under(path), { token });
}

function under(path: string): string {
  return path.startsWith('/api/') ? path : `/api/v1${path}`;
}

/** The statuses of the deliveries, the newest first. */
async function statuses(): Promise<unknown[]> {
  return itemsOf(await get(`${webhook}/deliveries`)).map(({ status }) => status);
}

function messageIds(): unknown[] {
  return receiver.requests.map(({ headers }) => headers['webhook-id']);
}

function texts(): string[] {
  return receiver.requests.map(
    ({ body }) => (JSON.parse(body) as { data: { message: { text: string } } }).data.message.text,
  );
}

/** The decrypted secrets of the webhook. */
async function storedSecrets(): Promise<string[]> {
  const rows = await ctx.db.query.webhookSecrets.findMany({
    where: eq(webhookSecrets.webhookId, dataOf(await get(webhook)).id),
  });
  return rows.map(({ sealed, uuid, accountId }) =>
    ctx.cipher.open(sealed, { table: 'webhook_secrets', uuid, accountId }),
  );
}

function signaturesOf(request: ReceivedRequest | undefined): string[] {
  return String(request?.headers['webhook-signature'] ?? '')
    .split(' ')
    .filter((signature) => signature.startsWith('v1,'));
}

/**
 * The payload of a request, verified by the reference library.
 * @throws if the signature is invalid
 */
function verified(request: ReceivedRequest | undefined, secret: unknown): unknown {
  if (!request) throw new Error('nothing was received');
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
  );
  return new Webhook(String(secret)).verify(request.body, headers);
}
