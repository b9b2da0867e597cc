import { randomUUID } from 'node:crypto';
import type { Context } from '../../context.ts';
import type { PersonActor } from '../../domain/actor.ts';
import { claimLanes, claimOrWakeLanes, takeDeliveries } from '../../domain/lanes/claim-lanes.ts';
import { completeAttempts } from '../../domain/lanes/complete-attempts.ts';
import { sweepLanes } from '../../domain/lanes/recover-lanes.ts';
import { writeFollowCursor } from '../../domain/cursor.ts';
import { TestApi, dataOf } from '../api.ts';
import { addWebhook, attemptsOn, publishUnqueued } from '../delivery/delivery-worker.ts';
import { addPastOf } from './grow-database.ts';

/** What a service does all the time, regardless of the size of its database. */
export const hotActs = [
  'publish an event',
  'wake a lane',
  'claim lanes',
  'take deliveries',
  'complete attempts',
  'claim a free lane',
  'sweep lanes',
  'write uses of tokens',
  'write calls of keys',
  'GET /api-key',
  'GET /webhooks',
  'GET /api-keys',
  'GET /events',
  'GET /events?with_outcomes=true',
  'GET /conversations',
  'GET /webhooks/…/deliveries',
  'GET /webhooks/…/deliveries?follow=…',
  'POST messages',
] as const;

export type HotAct = (typeof hotActs)[number];

/** A busy account, which has the same rows in a database of any size. */
export type SteadyAccount = {
  owner: PersonActor;
  webhookId: number;
  token: string;
  conversationUuid: string;
};

/**
 * Adds an account with a webhook, 2,000 delivered and 50 pending deliveries, and 30 conversations.
 */
export async function addSteadyAccount(ctx: Context): Promise<SteadyAccount> {
  const api = new TestApi(ctx);
  const account = await api.account();
  const owner = await account.member('owner');
  const { id: webhookId } = await addWebhook(ctx, owner);
  const { token } = await account.key();
  await addPastOf(ctx, { accountId: owner.accountId, count: 2000 });
  await publishUnqueued(ctx, owner, 50);
  let conversationUuid = '';
  for (let made = 1; made <= 30; made += 1) {
    const body = { subject: `Conversation ${made}` };
    const response = await api.call('POST', '/api/v1/conversations', { token, body });
    if (response.status !== 201) throw new Error(response.text);
    conversationUuid = String(dataOf(response)['uuid']);
  }
  return { owner, webhookId, token, conversationUuid };
}

/**
 * Performs each of the hot acts once through `measure`, in the order of `hotActs`. Afterwards as
 * many deliveries are pending as before.
 */
export async function doHotActs(
  ctx: Context,
  { owner, webhookId, token, conversationUuid }: SteadyAccount,
  measure: <Value>(what: HotAct, act: () => Promise<Value>) => Promise<Value>,
): Promise<void> {
  const size = { maxDeliveries: 4, bytes: 32_768 };
  await publishUnqueued(ctx, owner, size.maxDeliveries - 1);
  await measure('publish an event', () => publishUnqueued(ctx, owner));
  await measure('wake a lane', async () => {
    ctx.laneNotifier.queue([webhookId]);
    await ctx.laneNotifier.idle();
  });
  const worker = { owner: randomUUID(), leaseMs: 30_000 };
  const { lanes } = await measure('claim lanes', () =>
    claimLanes(ctx, { ...worker, ...size, limit: 100 }),
  );
  const [lane] = lanes.filter((each) => each.webhookId === webhookId);
  if (!lane) throw new Error('the lane was not claimed');
  const { lease } = lane;
  await measure('take deliveries', () =>
    takeDeliveries(ctx, {
      owner: worker.owner,
      lanes: [{ webhookId, lease, after: null, heldIds: [], ...size }],
    }),
  );
  await measure('complete attempts', () =>
    completeAttempts(ctx, {
      ...worker,
      attempts: attemptsOn(lane, { startedAt: ctx.clock.now() }),
      lanes: [{ webhookId, lease, isReleased: true }],
      isLast: true,
    }),
  );
  const queued = await measure('claim a free lane', () =>
    claimOrWakeLanes(ctx, { ...worker, ...size, webhookIds: [webhookId] }),
  );
  const [free] = queued.lanes;
  if (!free) throw new Error('the lane was not free');
  const release = { ...free, isReleased: true };
  await completeAttempts(ctx, { ...worker, attempts: [], lanes: [release], isLast: true });
  await measure('sweep lanes', () => sweepLanes(ctx));

  const api = new TestApi(ctx);
  const call = async (method: string, path: string, body?: unknown) => {
    const response = await api.call(method, `/api/v1/${path}`, { token, body });
    if (response.status >= 300) throw new Error(response.text);
  };
  const get = (path: string) => call('GET', path);
  // The use of the key by this call is not written yet: the next act writes it. After the cache is
  // cleared, the key is looked up in the database once.
  await get('api-key');
  await measure('write uses of tokens', () => ctx.usage.flush());
  await measure('write calls of keys', () => ctx.calls.flush());
  ctx.keyCache.clear();
  for (const path of ['api-key', 'webhooks', 'api-keys', 'events', 'conversations'] as const) {
    await measure(`GET /${path}`, () => get(path));
  }
  await measure('GET /events?with_outcomes=true', () => get('events?with_outcomes=true'));
  const deliveries = `webhooks/${webhookId}/deliveries`;
  await measure('GET /webhooks/…/deliveries', () => get(deliveries));
  const follow = writeFollowCursor(`deliveries/${webhookId}`, { from: '1:1:' });
  await measure('GET /webhooks/…/deliveries?follow=…', () => get(`${deliveries}?follow=${follow}`));
  await measure('POST messages', () =>
    call('POST', `conversations/${conversationUuid}/messages`, { author: 'bot', text: 'Hello' }),
  );
}
