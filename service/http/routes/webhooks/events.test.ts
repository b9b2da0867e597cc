import { describe, expect, test } from 'vitest';
import { dayMs } from '#lib/durations.ts';
import type { EventType } from '#lib/contract/events/events.ts';
import type { Role } from '#lib/contract/rights/roles.ts';
import { dataOf, detailsOf, itemsOf, nextCursorOf } from '../../../testing/api.ts';
import type { ApiResponse } from '../../../testing/api.ts';
import { addDelivery, addEvent } from '../../../testing/records/deliveries.ts';
import type { DeliveryInTest } from '../../../testing/records/deliveries.ts';
import { useApi } from '../../../testing/use-api.ts';

const { ctx, api, account, caller } = useApi({
  accountFor: 'test',
  caller: { scopes: ['events:read'] },
});

describe('events', () => {
  test('are recorded as they happened, and listed newest first', async () => {
    const writer = await account.key();
    const conversation = dataOf(
      await writer.post('/api/v1/conversations', { subject: 'Where is order 1042?' }),
    );
    const path = `/api/v1/conversations/${conversation.id}`;
    const message = dataOf(
      await writer.post(`${path}/messages`, { author: 'contact', text: 'Hello' }),
    );
    const response = await list();
    expect(response.status).toBe(200);
    const { id, uuid, subject, status } = conversation;
    expect(response.body).toEqual({
      success: true,
      data: [
        {
          id: expect.any(Number),
          uuid: expect.any(String),
          type: 'message.created',
          data: { message, conversation: { id, uuid, subject, status } },
          created_at: iso(0),
          conversation_id: id,
        },
        {
          id: expect.any(Number),
          uuid: expect.any(String),
          type: 'conversation.created',
          data: { conversation },
          created_at: iso(0),
          conversation_id: id,
        },
      ],
      next_cursor: null,
    });
    for (const event of itemsOf(response)) {
      const byId = await get(event.id);
      expect(dataOf(byId)).toEqual({ ...event, outcomes: [] });
      expect((await get(event['uuid'])).text).toBe(byId.text);
    }
  });

  test('are paged through once each', async () => {
    const made: number[] = [];
    for (let count = 0; count < 5; count += 1) {
      made.unshift((await addEvent(ctx, account.id)).id);
    }
    const seen: number[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page = await list(`?limit=2${cursor && `&cursor=${cursor}`}`);
      seen.push(...itemsOf(page).map(({ id }) => id));
      cursor = nextCursorOf(page);
    }
    expect(seen).toEqual(made);
  });

  test.each([
    ['?limit=0', 'limit'],
    ['?cursor=nonsense', 'cursor'],
  ])('listed with %s are refused at %s', async (query, field) => {
    const response = await list(query);
    expect(response.status).toBe(422);
    expect(Object.keys(detailsOf(response))).toEqual([field]);
  });

  test('are filtered by type and by time', async () => {
    const old = await addEvent(ctx, account.id, {
      at: new Date(ctx.clock.now().getTime() - dayMs),
    });
    const opened = await addEvent(ctx, account.id, { type: 'conversation.created' });
    const written = await addEvent(ctx, account.id);
    const idsOf = async (query: string) => itemsOf(await list(query)).map(({ id }) => id);
    expect(await idsOf('?type=message.created')).toEqual([written.id, old.id]);
    const now = encodeURIComponent(iso(0));
    expect(await idsOf(`?since=${now}`)).toEqual([written.id, opened.id]);
    expect(await idsOf(`?until=${now}`)).toEqual([old.id]);
    expect(await idsOf(`?until=${now}&type=conversation.created`)).toEqual([]);
    expect(Object.keys(detailsOf(await list('?type=order.paid&since=yesterday')))).toEqual([
      'type',
      'since',
    ]);
  });

  test('need a key with events:read', async () => {
    const other = await account.key({ scopes: ['webhooks:manage', 'conversations:read'] });
    const { id } = await addEvent(ctx, account.id);
    expect((await list('', other.token)).status).toBe(403);
    expect((await get(id, other.token)).status).toBe(403);
    expect((await api.call('GET', '/api/v1/events')).status).toBe(401);
  });

  test.each(['0', 'x', 'msg_1', '9007199254740993'])('are not found under %s', async (name) => {
    expect((await get(name)).status).toBe(404);
  });

  test.each([
    ['owner', true],
    ['admin', true],
    ['support', false],
    ['viewer', false],
  ] as const)('show what customers wrote to %s: %s', async (role, isShown) => {
    const { id } = await addEvent(ctx, account.id);
    const [listed] = itemsOf(await getAs(role, '/events'));
    for (const event of [listed, dataOf(await getAs(role, `/events/${id}`))]) {
      expect(event).toMatchObject({ type: 'message.created', created_at: iso(0) });
      expect(event?.['data'] !== null).toBe(isShown);
    }
  });
});

describe('the outcome of an event', () => {
  test.each([
    ['delivered', { status: 'delivered' }, 'Delivered at <now>.', '<now>'],
    ['failed', { status: 'failed', attemptCount: 8 }, 'Failed after 8 attempts.', '<now>'],
    ['failed', { status: 'failed', attemptCount: 1 }, 'Failed after 1 attempt.', '<now>'],
    ['cancelled', { status: 'cancelled' }, 'Cancelled at <now>.', '<now>'],
    ['pending', { status: 'pending' }, 'First attempt at <now>.', '<now>'],
    ['pending', { attemptCount: 3 }, 'Next attempt at <now>, after 3 attempts.', '<now>'],
  ] as [string, Partial<DeliveryInTest>, string, string][])(
    'is told of a delivery that is %s: %j',
    async (outcome, state, sentence, at) => {
      const webhook = await account.webhook({ name: 'Orders' });
      const event = await addEvent(ctx, account.id);
      const delivery = await addDelivery(ctx, event, { webhookId: webhook.id, ...state });
      const fill = (text: string) => text.replace('<now>', iso(0));
      expect(await outcomesOf(event.id)).toEqual([
        {
          webhook: { id: webhook.id, uuid: webhook.uuid, name: 'Orders' },
          outcome,
          sentence: fill(sentence),
          at: fill(at),
          delivery: {
            id: delivery.id,
            uuid: delivery.uuid,
            attempt_count: delivery.attemptCount,
          },
        },
      ]);
    },
  );

  test('is given without a delivery, for every webhook of the account', async () => {
    await api.account().then((other) => other.webhook());
    const paused = await webhookThat('paused');
    await webhookThat('not subscribed', { events: ['conversation.closed'] });
    const back = await webhookThat('resumed');
    await account.webhook({ name: 'set up', isActive: false });
    await setActive(paused, false);
    await setActive(back, false);
    const inactiveSince = iso(0);
    ctx.clock.advance(1000);
    const { id } = await addEvent(ctx, account.id);
    ctx.clock.advance(1000);
    await setActive(back, true);
    await webhookThat('new');
    const createdAt = iso(0);

    const outcomes = await outcomesOf(id);
    expect(outcomes.map(({ webhook, ...rest }) => [webhook.name, rest])).toEqual([
      [
        'paused',
        {
          outcome: 'inactive',
          sentence: `Paused since ${inactiveSince}.`,
          at: inactiveSince,
          delivery: null,
        },
      ],
      [
        'not subscribed',
        {
          outcome: 'not_subscribed',
          sentence: 'Not subscribed to message.created.',
          at: null,
          delivery: null,
        },
      ],
      [
        'resumed',
        {
          outcome: 'not_made',
          sentence: 'The webhook was inactive, or not subscribed, when the event happened.',
          at: null,
          delivery: null,
        },
      ],
      [
        'set up',
        {
          outcome: 'inactive',
          sentence: `Being set up since ${inactiveSince}.`,
          at: inactiveSince,
          delivery: null,
        },
      ],
      [
        'new',
        {
          outcome: 'created_later',
          sentence: 'The webhook was created after the event.',
          at: createdAt,
          delivery: null,
        },
      ],
    ]);
  });

  test('is waiting if the webhook was paused after it', async () => {
    const webhook = await account.webhook();
    const event = await addEvent(ctx, account.id);
    await addDelivery(ctx, event, { webhookId: webhook.id });
    ctx.clock.advance(1000);
    await setActive(webhook, false);
    expect(await outcomesOf(event.id)).toMatchObject([
      {
        outcome: 'pending',
        sentence: `Waits until the webhook is resumed: paused since ${iso(0)}.`,
        at: iso(0),
      },
    ]);
  });

  test('of a test is given only for the webhook it was sent to', async () => {
    const tested = await account.webhook({ name: 'tested' });
    await account.webhook({ name: 'another' });
    const event = await addEvent(ctx, account.id, { type: 'webhook.test' });
    await addDelivery(ctx, event, { webhookId: tested.id });
    const names = (await outcomesOf(event.id)).map(({ webhook }) => webhook.name);
    expect(names).toEqual(['tested']);
  });
});

async function webhookThat(name: string, options: { events?: EventType[] } = {}) {
  return await account.webhook({ name, ...options });
}

async function setActive({ id }: { id: number }, isActive: boolean): Promise<void> {
  const manager = await account.key({ scopes: ['webhooks:manage'] });
  const body = { is_active: isActive };
  await manager.patch(`/api/v1/webhooks/${id}`, body);
}

async function list(query = '', as = caller.token): Promise<ApiResponse> {
  return await api.call('GET', `/api/v1/events${query}`, { token: as });
}

async function get(reference: unknown, as = caller.token): Promise<ApiResponse> {
  return await api.call('GET', `/api/v1/events/${reference}`, { token: as });
}

async function outcomesOf(id: number) {
  const { outcomes } = dataOf(await get(id));
  return outcomes as ({ webhook: { name: string } } & Record<string, unknown>)[];
}

async function getAs(role: Role, path: string): Promise<ApiResponse> {
  return await api.as(await account.member(role)).get(`/api/v1${path}`);
}

function iso(fromNowMs: number): string {
  return new Date(ctx.clock.now().getTime() + fromNowMs).toISOString().replace('Z', '+00:00');
}
