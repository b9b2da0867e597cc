import { beforeEach, describe, expect, test } from 'vitest';
import { minuteMs } from '#lib/durations.ts';
import { dataOf, detailsOf, itemsOf, nextCursorOf } from '../../../testing/api.ts';
import type { ApiResponse } from '../../../testing/api.ts';
import { addDelivery, addEvent } from '../../../testing/records/deliveries.ts';
import type { DeliveryInTest, EventInTest } from '../../../testing/records/deliveries.ts';
import { useApi } from '../../../testing/use-api.ts';

const { ctx, api, account, caller } = useApi();
let webhook: { id: number; uuid: string };

beforeEach(async () => {
  webhook = await account.webhook();
});

async function list(query: string, as = caller.token, of = webhook.id): Promise<ApiResponse> {
  return await api.call('GET', `/api/v1/webhooks/${of}/deliveries?${query}`, { token: as });
}

async function idsOf(query: string): Promise<number[]> {
  return itemsOf(await list(query)).map(({ id }) => id);
}

async function deliver(
  about: { conversationId?: number; of?: number } & Partial<DeliveryInTest> = {},
): Promise<{ event: EventInTest; delivery: DeliveryInTest }> {
  const { conversationId, of = webhook.id, ...state } = about;
  const event = await addEvent(ctx, account.id, conversationId ? { conversationId } : {});
  return { event, delivery: await addDelivery(ctx, event, { webhookId: of, ...state }) };
}

async function conversation(): Promise<{ id: number; uuid: string }> {
  const body = { subject: 'Order 1042' };
  const { id, uuid } = dataOf(await caller.post('/api/v1/conversations', body));
  return { id, uuid: String(uuid) };
}

describe('the deliveries of a webhook are found', () => {
  test('by the webhook-id that the receiver got, the event and the delivery', async () => {
    const { event, delivery } = await deliver();
    await deliver();
    for (const about of [
      `msg_${event.uuid}`,
      `msg_test_${event.uuid}`,
      event.uuid,
      event.uuid.toUpperCase(),
      delivery.uuid,
    ]) {
      expect(await idsOf(`about=${about}`), about).toEqual([delivery.id]);
    }
  });

  test('by the conversation, newest first and page by page', async () => {
    const { id, uuid } = await conversation();
    const [first] = itemsOf(await list('limit=1'));
    const made = [first?.id];
    for (let count = 0; count < 2; count += 1) {
      const { delivery } = await deliver({ conversationId: id });
      made.unshift(delivery.id);
      await deliver({ conversationId: (await conversation()).id });
    }
    expect(await idsOf(`about=${id}`)).toEqual(made);
    const page = await list(`about=${uuid}&limit=2`);
    expect(itemsOf(page).map((item) => item.id)).toEqual(made.slice(0, 2));
    const cursor = nextCursorOf(page);
    expect(await idsOf(`about=${uuid}&limit=2&cursor=${cursor}`)).toEqual(made.slice(2));
  });

  test('by the message that they announce', async () => {
    const announced = await account.webhook({ isActive: true, events: ['message.created'] });
    const { id } = await conversation();
    const write = async (): Promise<string> => {
      const body = { author: 'contact', text: 'Where is it?' };
      const path = `/api/v1/conversations/${id}/messages`;
      return String(dataOf(await caller.post(path, body)).uuid);
    };
    // All at the same time, because the clock stands still.
    const uuids = [await write(), await write(), await write()];
    const made = itemsOf(await list('', caller.token, announced.id)).map((item) => item.id);
    for (const [index, delivery] of made.toReversed().entries()) {
      const found = itemsOf(await list(`about=${uuids[index]}`, caller.token, announced.id));
      expect(found.map((item) => item.id)).toEqual([delivery]);
    }

    const stranger = await api.account();
    const { token: theirs } = await stranger.key();
    const { id: theirWebhook } = await stranger.webhook();
    expect(itemsOf(await list(`about=${uuids[0]}`, theirs, theirWebhook))).toEqual([]);
  });

  test('by the status of the latest response', async () => {
    const { delivery: unavailable } = await deliver({ lastStatusCode: 503 });
    const { delivery: failed } = await deliver({ lastStatusCode: 503, status: 'failed' });
    await deliver({ lastStatusCode: 500 });
    await deliver({ lastStatusCode: 204, status: 'delivered' });
    await deliver();
    expect(await idsOf('status_code=503')).toEqual([failed.id, unavailable.id]);
    expect(await idsOf('status_code=503&status=failed')).toEqual([failed.id]);
    expect(await idsOf('status_code=404')).toEqual([]);
  });

  test('by their creation time, even if sent again or recorded out of order', async () => {
    const start = ctx.clock.now().getTime();
    const at = (minutes: number) => new Date(start + minutes * minuteMs);
    const to = { webhookId: webhook.id };
    const replayed = await addEvent(ctx, account.id, { at: at(-60) });
    const { delivery: early } = await deliver();
    const ahead = await addEvent(ctx, account.id, { at: at(5) });
    const behind = await addEvent(ctx, account.id, { at: at(1) });
    const { id: sentAgain } = await addDelivery(ctx, replayed, { ...to, createdAt: at(6) });
    const { id: last } = await addDelivery(ctx, ahead, to);
    const { id: middle } = await addDelivery(ctx, behind, to);
    const window = (since: number, until: number) =>
      `since=${at(since).toISOString()}&until=${at(until).toISOString()}`;
    expect(await idsOf(window(0, 2))).toEqual([middle, early.id]);
    expect(await idsOf(window(-60, 1))).toEqual([early.id]);
    expect(await idsOf(window(1, 7))).toEqual([sentAgain, last, middle]);
    expect(await idsOf('until=9999-12-31T23:59:59.999Z')).toHaveLength(4);
  });

  test('only those of this webhook and of this account', async () => {
    const other = await account.webhook();
    const { event } = await deliver({ of: other.id });
    expect(await idsOf(`about=${event.uuid}`)).toEqual([]);

    const stranger = await api.account();
    const { token: theirs } = await stranger.key();
    const { id: theirWebhook } = await stranger.webhook();
    const { id, uuid } = await conversation();
    for (const about of [event.uuid, uuid, id]) {
      expect(itemsOf(await list(`about=${about}`, theirs, theirWebhook))).toEqual([]);
    }
  });

  test('never by something that does not exist', async () => {
    await deliver();
    for (const about of [crypto.randomUUID(), `msg_${crypto.randomUUID()}`, '9007199254740991']) {
      const response = await list(`about=${about}`);
      expect(response.body, about).toEqual({ success: true, data: [], next_cursor: null });
    }
  });

  test.each([
    ['about=', 'about'],
    ['about=order', 'about'],
    ['about=msg_1', 'about'],
    ['about=0', 'about'],
    ['about=9007199254740992', 'about'],
    [`about=${'1'.repeat(41)}`, 'about'],
    ['status_code=200', 'status_code'],
    ['status_code=600', 'status_code'],
    ['status_code=4xx', 'status_code'],
  ])('asked for with %s they are refused at %s', async (query, field) => {
    const response = await list(query);
    expect(response.status).toBe(422);
    expect(Object.keys(detailsOf(response))).toEqual([field]);
  });
});
