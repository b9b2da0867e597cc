import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import type { EventType } from '#lib/contract/events/events.ts';
import { dayMs } from '#lib/durations.ts';
import { lanes } from '../../../db/schema/webhooks/lanes.ts';
import { announceExpiries } from '../../../domain/api-keys/announce-expiries.ts';
import {
  announceFailing,
  deactivateWebhook,
  lockForDeactivation,
} from '../../../domain/webhooks/deactivation/deactivate-webhook.ts';
import { dataOf, itemsOf, nextCursorOf, refusedFields } from '../../../testing/api.ts';
import type { ApiResponse, TestClient } from '../../../testing/api.ts';
import { addAttempt, addDelivery, addEvent } from '../../../testing/records/deliveries.ts';
import type { DeliveryInTest } from '../../../testing/records/deliveries.ts';
import { useApi } from '../../../testing/use-api.ts';

const { ctx, api, account, caller } = useApi({ accountFor: 'test' });

describe('events', () => {
  test('are recorded as they happened, and listed newest first', async () => {
    const subject = 'Where is order 1042?';
    const conversation = dataOf(await caller.post('/api/v1/conversations', { subject }));
    const path = `/api/v1/conversations/${conversation.id}/messages`;
    const message = dataOf(await caller.post(path, { author: 'contact', text: 'Hello' }));
    const { id, uuid, status } = conversation;
    const event = (type: EventType, data: object) => ({
      id: expect.any(Number),
      uuid: expect.any(String),
      type,
      data,
      created_at: ctx.clock.apiTime(),
      conversation_id: id,
    });
    const response = await list();
    expect(response.body).toMatchObject({
      success: true,
      data: [
        event('message.created', { message, conversation: { id, uuid, subject, status } }),
        event('conversation.created', { conversation }),
      ],
      next_cursor: null,
    });
    for (const listed of itemsOf(response)) {
      const byId = await get(listed.id);
      expect(dataOf(byId)).toMatchObject({ ...listed, outcomes: [] });
      expect((await get(listed['uuid'])).text).toBe(byId.text);
    }
  });

  test('are paged through once each', async () => {
    const made: number[] = [];
    for (let count = 0; count < 5; count += 1) made.unshift((await addEvent(ctx, account.id)).id);
    const seen: number[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page = await list(`?limit=2${cursor && `&cursor=${cursor}`}`);
      seen.push(...itemsOf(page).map(({ id }) => id));
      cursor = nextCursorOf(page);
    }
    expect(seen).toEqual(made);
  });

  test('are filtered by type and by time', async () => {
    const yesterday = new Date(ctx.clock.now().getTime() - dayMs);
    const old = await addEvent(ctx, account.id, { at: yesterday });
    const opened = await addEvent(ctx, account.id, { type: 'conversation.created' });
    const written = await addEvent(ctx, account.id);
    const now = encodeURIComponent(ctx.clock.apiTime());
    const found = {
      'type=message.created': [written, old],
      [`since=${now}`]: [written, opened],
      [`until=${now}`]: [old],
      [`until=${now}&type=conversation.created`]: [],
    };
    for (const [query, expected] of Object.entries(found)) {
      const ids = itemsOf(await list(`?${query}`)).map(({ id }) => id);
      expect(ids, query).toEqual(expected.map(({ id }) => id));
    }
    for (const [query, fields] of [
      ['type=order.paid&since=yesterday', ['since', 'type']],
      ['limit=0', ['limit']],
      ['cursor=nonsense', ['cursor']],
    ] as const) {
      expect(refusedFields(await list(`?${query}`))).toEqual(fields);
    }
  });

  test.each(['0', 'x', 'msg_1', '9007199254740993'])('are not found under %s', async (name) => {
    expect((await get(name)).status).toBe(404);
  });

  test('show what customers wrote to owners and admins alone', async () => {
    const { id } = await addEvent(ctx, account.id);
    for (const [role, isShown] of [
      ['owner', true],
      ['admin', true],
      ['support', false],
      ['viewer', false],
    ] as const) {
      const member = await account.member(role);
      const [listed] = itemsOf(await list('', member));
      for (const event of [listed, dataOf(await get(id, member))]) {
        expect(event).toMatchObject({ type: 'message.created', created_at: ctx.clock.apiTime() });
        expect(event?.['data'] !== null, role).toBe(isShown);
      }
    }
  });
});

describe('the outcome of an event', () => {
  test.each<[outcome: string, state: Partial<DeliveryInTest>, sentence: (at: string) => string]>([
    ['delivered', { status: 'delivered', attemptCount: 1 }, (at) => `Delivered at ${at}.`],
    [
      'delivered',
      { status: 'delivered', attemptCount: 3 },
      (at) => `Delivered at ${at}, after 3 attempts.`,
    ],
    [
      'failed',
      { status: 'failed', attemptCount: 8, lastError: 'No response in time.' },
      (at) => `Failed at ${at}, after 8 attempts. No response in time.`,
    ],
    ['cancelled', { status: 'cancelled' }, (at) => `Cancelled at ${at}.`],
    ['pending', { status: 'pending' }, () => 'Being sent.'],
    [
      'retrying',
      { attemptCount: 3, lastError: 'The receiver responded with 503.' },
      () => 'Retrying now, after 3 attempts. The receiver responded with 503.',
    ],
  ])('is told of a delivery that is %s: %j', async (outcome, state, sentence) => {
    const webhook = await account.webhook({ name: 'Orders' });
    const event = await addEvent(ctx, account.id);
    const delivery = await addDelivery(ctx, event, { webhookId: webhook.id, ...state });
    const { id, uuid, attemptCount } = delivery;
    expect(await outcomesOf(event.id)).toMatchObject([
      {
        webhook: { id: webhook.id, uuid: webhook.uuid, name: 'Orders' },
        outcome,
        sentence: sentence(ctx.clock.apiTime()),
        delivery: { id, uuid, attempt_count: attemptCount },
      },
    ]);
    const [listed] = itemsOf(await list('?with_outcomes=true'));
    expect(listed?.['webhook_outcomes']).toEqual([{ webhook_id: webhook.id, outcome }]);
  });

  test('has the response and its duration, and the receiver’s words only for those who may read them', async () => {
    const [ok, bad] = [
      await account.webhook({ name: 'Ok' }),
      await account.webhook({ name: 'Refuses' }),
    ];
    const event = await addEvent(ctx, account.id);
    const delivered = { status: 'delivered', attemptCount: 1, lastStatusCode: 200 } as const;
    await addAttempt(ctx, await addDelivery(ctx, event, { webhookId: ok.id, ...delivered }));
    const failed = {
      webhookId: bad.id,
      status: 'failed',
      attemptCount: 1,
      lastStatusCode: 410,
      lastError: 'The receiver responded with 410.',
    } as const;
    const gone = { statusCode: 410, responseBody: 'Moved\nto Lisbon' };
    await addAttempt(ctx, await addDelivery(ctx, event, failed), gone);
    const at = ctx.clock.apiTime();
    expect(await outcomesOf(event.id)).toMatchObject([
      { sentence: `Delivered at ${at}, 200 in 100 ms.`, response_excerpt: null },
      {
        sentence: `Failed at ${at}, after 1 attempt. The receiver responded with 410. A 410 ends the delivery and deactivates the webhook.`,
        response_excerpt: 'Moved to Lisbon',
        next_step: 'send',
      },
    ]);
    const hidden = dataOf(await get(event.id, await account.member('support')));
    expect(hidden).toMatchObject({ payload: null, payload_bytes: event.payload.length });
    expect(hidden['outcomes']).toMatchObject([{}, { response_excerpt: null }]);
  });

  test('is given without a delivery for every webhook of the account, by name, from its recorded history', async () => {
    await api.account().then((other) => other.webhook());
    const paused = await account.webhook({ name: 'paused' });
    const back = await account.webhook({ name: 'resumed' });
    const skipped = await account.webhook({ name: 'Skipped' });
    const later = await account.webhook({ name: 'subscribed later', events: ['webhook.failing'] });
    const left = await account.webhook({ name: 'unsubscribed later' });
    await account.webhook({ name: 'not subscribed', events: ['conversation.closed'] });
    await account.webhook({ name: 'set up', isActive: false });
    for (const webhook of [paused, back, skipped, left]) await setActive(webhook, false);
    const since = ctx.clock.apiTime();
    ctx.clock.advance(1000);
    const { id } = await addEvent(ctx, account.id);
    ctx.clock.advance(1000);
    const until = ctx.clock.apiTime();
    await setActive(back, true);
    await caller.patch(`/api/v1/webhooks/${skipped.id}`, { is_active: true, backlog: 'skip' });
    const types = { events: ['message.created'] };
    await caller.patch(`/api/v1/webhooks/${later.id}`, types);
    await caller.patch(`/api/v1/webhooks/${left.id}`, {
      events: ['webhook.failing'],
      is_active: true,
    });
    await account.webhook({ name: 'new' });
    const expected: [name: string, outcome: string, sentence: string, nextStep: string][] = [
      ['new', 'created_later', `Created later at ${until}.`, 'send'],
      [
        'not subscribed',
        'not_subscribed',
        'Not subscribed to message.created.',
        'subscribe_and_send',
      ],
      ['paused', 'paused', `Paused since ${since}.`, 'resume'],
      ['resumed', 'paused', `Paused then, from ${since} until ${until}.`, 'send'],
      ['set up', 'set_up', `Not activated since ${since}.`, 'resume'],
      [
        'Skipped',
        'paused',
        `Paused then, from ${since} until ${until}, and resumed without its backlog.`,
        'send',
      ],
      [
        'subscribed later',
        'not_subscribed',
        `Not subscribed to message.created then, only since ${until}.`,
        'send',
      ],
      [
        'unsubscribed later',
        'paused',
        `Paused then, from ${since} until ${until}.`,
        'subscribe_and_send',
      ],
    ];
    const outcomes = await outcomesOf(id);
    expect(
      outcomes.map(({ webhook, outcome, sentence, next_step: step }) => [
        webhook.name,
        outcome,
        sentence,
        step,
      ]),
    ).toEqual(expected);
  });

  test('is that the webhook was deactivated, if it was', async () => {
    const webhook = await account.webhook();
    await ctx.db.transaction(async (tx) => {
      const [locked] = await lockForDeactivation(tx, [webhook.id]);
      if (locked) await deactivateWebhook(ctx, { tx, webhook: locked, reason: 'gone' });
    });
    const since = ctx.clock.apiTime();
    ctx.clock.advance(1000);
    const { id } = await addEvent(ctx, account.id);
    expect(await outcomesOf(id)).toMatchObject([
      { outcome: 'deactivated', sentence: `Deactivated since ${since}.`, next_step: 'resume' },
    ]);
    ctx.clock.advance(1000);
    await setActive(webhook, true);
    expect(await outcomesOf(id)).toMatchObject([
      {
        outcome: 'deactivated',
        sentence: `Deactivated then, from ${since} until ${ctx.clock.apiTime()}.`,
      },
    ]);
  });

  test('is that the webhook was deleted since, unless it was newer than the event', async () => {
    const webhook = await account.webhook({ name: 'Old' });
    const event = await addEvent(ctx, account.id);
    await addDelivery(ctx, event, { webhookId: webhook.id, status: 'delivered' });
    ctx.clock.advance(1000);
    const newer = await account.webhook({ name: 'Newer' });
    for (const { id } of [webhook, newer]) await caller.delete(`/api/v1/webhooks/${id}`);
    const at = ctx.clock.apiTime();
    expect(await outcomesOf(event.id)).toEqual([
      {
        webhook: { id: null, uuid: webhook.uuid, name: 'Old' },
        outcome: 'deleted',
        sentence: `Deleted at ${at}. Its deliveries are no longer shown.`,
        at,
        response_excerpt: null,
        next_step: null,
        delivery: null,
      },
    ]);
  });

  test('is on hold if the webhook was paused after it', async () => {
    const webhook = await account.webhook();
    const event = await addEvent(ctx, account.id);
    await addDelivery(ctx, event, { webhookId: webhook.id });
    ctx.clock.advance(1000);
    await setActive(webhook, false);
    const at = ctx.clock.apiTime();
    const sentence = `On hold: the webhook is paused since ${at}.`;
    expect(await outcomesOf(event.id)).toMatchObject([
      { outcome: 'on_hold', sentence, at, next_step: 'resume' },
    ]);
  });

  test('of a test is given only for the webhook it was sent to', async () => {
    const tested = await account.webhook({ name: 'tested' });
    await account.webhook({ name: 'another' });
    const event = await addEvent(ctx, account.id, { type: 'webhook.test' });
    await addDelivery(ctx, event, { webhookId: tested.id });
    expect(await outcomesOf(event.id)).toMatchObject([{ webhook: { name: 'tested' } }]);
    const [listed] = itemsOf(await list('?with_outcomes=true'));
    expect(listed?.['webhook_outcomes']).toEqual([{ webhook_id: tested.id, outcome: 'pending' }]);
  });

  test('about a webhook says so for that one, and a replay to it leaves the event out', async () => {
    const failing = await account.webhook({ name: 'Failing' });
    const other = await account.webhook({ name: 'Other' });
    const since = ctx.clock.apiTime(-1000);
    await ctx.db
      .update(lanes)
      .set({ failureCount: 3, failingSince: ctx.clock.now() })
      .where(eq(lanes.webhookId, failing.id));
    await announceFailing(ctx);
    const [event] = itemsOf(await list('?limit=1'));
    expect(await outcomesOf(event?.id)).toMatchObject([
      { webhook: { id: failing.id }, outcome: 'about_itself', delivery: null },
      { webhook: { id: other.id }, outcome: 'pending' },
    ]);
    ctx.clock.advance(1000);
    const later = await account.webhook({ name: 'Later' });
    const body = { since, status: 'all', include_earlier: true, dry_run: true };
    for (const [{ id }, count] of [
      [failing, 0],
      [later, 1],
    ] as const) {
      const response = await caller.post(`/api/v1/webhooks/${id}/replays`, body);
      expect(dataOf(response)).toMatchObject({ count });
    }
  });
});

describe('a key without api-keys:read', () => {
  const elsewhere = 'https://elsewhere.example.com/';
  const keys = async () => ({
    without: await account.key({ type: 'webhook' }),
    reader: await account.key({ scopes: ['webhooks:manage', 'events:read', 'api-keys:read'] }),
  });
  /** The first warning of the expiry of a key. */
  const announceExpiry = async () => {
    await account.key({ expiresAt: ctx.clock.apiTime(8 * dayMs) });
    ctx.clock.advance(dayMs);
    await announceExpiries(ctx);
  };
  const change = async (by: TestClient, { id }: { id: number }, body: object) =>
    (await by.patch(`/api/v1/webhooks/${id}`, body)).status;

  test('cannot create a webhook for events about keys', async () => {
    const { without, reader } = await keys();
    const create = async (by: TestClient, events: EventType[]) =>
      await by.post('/api/v1/webhooks', { name: 'Hook', url: 'https://example.com/', events });
    const refused = await create(without, ['message.created', 'api_key.expired']);
    expect(refused.status).toBe(403);
    expect(refused.text).toContain('needs the scope api-keys:read');
    const ofWebhooks: EventType[] = ['webhook.failing', 'webhook.deactivated'];
    expect((await create(without, ofWebhooks)).status).toBe(201);
    expect((await create(reader, ['api_key.expiring'])).status).toBe(201);
  });

  test('can neither subscribe to events about keys nor change the URL that gets them', async () => {
    const { without } = await keys();
    const plain = await account.webhook({ events: ['message.created'] });
    const subscribed = await account.webhook({ events: ['message.created', 'api_key.expired'] });
    expect(await change(without, plain, { events: ['api_key.expired'] })).toBe(403);
    expect(await change(without, subscribed, { url: elsewhere })).toBe(403);
    // A change that sends nobody new events is allowed.
    expect(await change(without, plain, { url: elsewhere })).toBe(200);
    const fewer = { name: 'Renamed', events: ['api_key.expired'] };
    expect(await change(without, subscribed, fewer)).toBe(200);
  });

  test('can neither redirect an event about a key that waits to be delivered, nor retry it once the webhook no longer gets such events', async () => {
    const { without, reader } = await keys();
    const webhook = await account.webhook({ events: ['message.created', 'api_key.expiring'] });
    await announceExpiry();
    const [delivery] = itemsOf(await caller.get(`/api/v1/webhooks/${webhook.id}/deliveries`));
    const retry = async (by: TestClient) => {
      // A delivery can be retried once a minute.
      ctx.clock.advance(60_000);
      return (await by.post(`/api/v1/deliveries/${delivery?.id}/retry`)).status;
    };
    expect(await retry(without)).toBe(202);
    const fewer = { events: ['message.created'] };
    expect(await change(without, webhook, { url: elsewhere, ...fewer })).toBe(403);
    expect(await change(without, webhook, fewer)).toBe(200);
    expect(await change(without, webhook, { url: elsewhere })).toBe(403);
    expect(await retry(without)).toBe(403);
    expect(await retry(reader)).toBe(202);
    expect(await change(reader, webhook, { url: elsewhere })).toBe(200);
  });

  test('cannot read what an event says about a key, unlike members of every role', async () => {
    await announceExpiry();
    const { reader } = await keys();
    const without = await account.key({ scopes: ['events:read'] });
    expect(itemsOf(await list('', without))).toMatchObject([{ data: null }]);
    const readers: TestClient[] = [reader];
    for (const role of ['owner', 'admin', 'support', 'viewer'] as const) {
      readers.push(await account.member(role));
    }
    const data = { api_key: { name: 'Production server' }, expires_in: 604_800 };
    for (const by of readers) {
      expect(itemsOf(await list('', by))).toMatchObject([{ conversation_id: null, data }]);
    }
  });
});

async function setActive({ id }: { id: number }, isActive: boolean): Promise<void> {
  await caller.patch(`/api/v1/webhooks/${id}`, { is_active: isActive });
}

async function list(query = '', by: TestClient = caller): Promise<ApiResponse> {
  return await by.get(`/api/v1/events${query}`);
}

async function get(reference: unknown, by: TestClient = caller): Promise<ApiResponse> {
  return await by.get(`/api/v1/events/${String(reference)}`);
}

async function outcomesOf(event: unknown) {
  const { outcomes } = dataOf(await get(event));
  return outcomes as ({ webhook: { name: string } } & Record<string, unknown>)[];
}
