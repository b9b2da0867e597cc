import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import type { NewEvent } from '#lib/contract/events/events.ts';
import type { FilterRule } from '#lib/contract/webhooks/filter-rule.ts';
import { publishEvent } from '../../domain/events/publish-event.ts';
import { advanceReplays } from '../../domain/replays/advance-replays.ts';
import type { OpenDatabase } from '../../db/open.ts';
import { deliveries } from '../../db/schema/webhooks/deliveries.ts';
import { events } from '../../db/schema/webhooks/events.ts';
import { dataOf, itemsOf, refusedFields } from '../api.ts';
import type { TestClient } from '../api.ts';
import { useApi } from '../use-api.ts';

const byContacts: FilterRule = { '==': [{ var: 'data.message.author' }, 'contact'] };
const clauseOfContacts = 'data.message.author == "contact"';

/** Searching every message in itself takes more steps than allowed once it is long. */
const expensive: FilterRule = {
  in: [{ var: 'data.message.text' }, { var: 'data.message.text' }],
};

/** Which events filters let through, and what is recorded of the others. */
export function describeWebhookFilters(engine: OpenDatabase['engine']): void {
  const { ctx, api, account, caller } = useApi({ engine, accountFor: 'test' });

  const open = async (by: TestClient = caller, more: object = {}) =>
    dataOf(await by.post('/api/v1/conversations', { subject: 'Order', ...more })).id;

  async function write(
    conversation: number,
    message: { author?: string; text?: string },
    { by = caller, ...headers }: { by?: TestClient; 'Idempotency-Key'?: string } = {},
  ) {
    const body = { author: 'contact', text: 'Hello', ...message };
    const path = `/api/v1/conversations/${conversation}/messages`;
    const written = await by.post(path, body, headers);
    expect(written.status).toBe(201);
    const [event] = itemsOf(await by.get('/api/v1/events?type=message.created&limit=1'));
    return event?.id ?? 0;
  }

  type Outcome = { webhook: { name: string }; outcome: string; sentence: string };

  const outcomes = async (event: number) =>
    Object.fromEntries(
      (dataOf(await caller.get(`/api/v1/events/${event}`))['outcomes'] as Outcome[]).map(
        ({ webhook, outcome, sentence }) => [webhook.name, { outcome, sentence }],
      ),
    );

  const deliveriesTo = async (webhook: { id: number }) =>
    await ctx.db.select().from(deliveries).where(eq(deliveries.webhookId, webhook.id));

  describe('an event is sent to a webhook', () => {
    test('if its filter is true for the body, no matter how the event was written', async () => {
      const filtered = await account.webhook({ name: 'Filtered', filter: byContacts });
      const all = await account.webhook({ name: 'All' });
      const closed = await account.webhook({
        name: 'Closed',
        filter: { and: [{ '==': [{ var: 'type' }, 'conversation.closed'] }, true] },
      });
      const conversation = await open();
      const sent = await write(conversation, {});
      const left = await write(conversation, { author: 'agent' });
      const once = { 'Idempotency-Key': 'once' };
      const leftOnce = await write(conversation, { author: 'bot' }, once);
      await caller.post(`/api/v1/conversations/${conversation}/close`);

      expect((await deliveriesTo(filtered)).map(({ eventId }) => eventId)).toEqual([sent]);
      expect(await deliveriesTo(all)).toHaveLength(5);
      expect((await deliveriesTo(closed)).map(({ eventType }) => eventType)).toEqual([
        'conversation.closed',
      ]);
      const notSent = { outcome: 'filtered_out', sentence: `Filtered out by ${clauseOfContacts}.` };
      expect(await outcomes(left)).toMatchObject({
        All: { outcome: 'pending' },
        Closed: {
          outcome: 'filtered_out',
          sentence: 'Filtered out by type == "conversation.closed".',
        },
        Filtered: notSent,
      });
      expect((await outcomes(leftOnce))['Filtered']).toEqual(notSent);
    });

    test('among messages of other accounts that are written at the same time', async () => {
      const filtered = await account.webhook({ filter: byContacts });
      const other = await api.account();
      const otherKey = await other.key();
      const unfiltered = await other.webhook();
      const [own, theirs] = [await open(), await open(otherKey)];
      const authors = ['contact', 'agent', 'contact', 'bot'];
      await Promise.all(
        authors.flatMap((author) => [
          write(own, { author }),
          write(theirs, { author }, { by: otherKey }),
        ]),
      );
      expect(await deliveriesTo(filtered)).toHaveLength(2);
      const messages = (await deliveriesTo(unfiltered)).filter(
        ({ eventType }) => eventType === 'message.created',
      );
      expect(messages).toHaveLength(4);
      const numbered = itemsOf(await caller.get('/api/v1/events?type=message.created')).map(
        ({ data }) => (data as { sequence: number }).sequence,
      );
      expect(numbered.toSorted((one, two) => one - two)).toEqual([2, 3, 4, 5]);
    });

    test('if its filter fails or needs too many steps, and the delivery says so', async () => {
      const slow = await account.webhook({ name: 'Slow', filter: expensive });
      const failing = await account.webhook({
        name: 'Failing',
        // Of an object, `in` calls the method indexOf, which this one has as a text.
        filter: { in: ['x', { var: 'data.conversation.metadata' }] },
      });
      const conversation = await open(caller, { metadata: { indexOf: 'x' } });
      const event = await write(conversation, { text: 'a'.repeat(10_000) });
      const steps = 'It can need more than 10,000 steps.';
      const error = 'An operator cannot be applied to the values of this event.';
      const errorsOf = async (webhook: { id: number }) =>
        itemsOf(await caller.get(`/api/v1/webhooks/${webhook.id}/deliveries`)).map(
          (delivery) => delivery['filter_error'],
        );
      expect(await errorsOf(slow)).toEqual([steps]);
      expect(await errorsOf(failing)).toEqual([error, error]);
      const mark = 'Being sent. Sent although the filter could not be evaluated: ';
      expect(await outcomes(event)).toMatchObject({
        Slow: { outcome: 'pending', sentence: `${mark}${steps}` },
        Failing: { outcome: 'pending', sentence: `${mark}${error}` },
      });
    });
  });

  test('a transaction that is rolled back leaves neither an event nor what was filtered out', async () => {
    const webhook = await account.webhook({ filter: byContacts });
    const rolledBack = ctx.db.transaction(async (tx) => {
      const event = { type: 'message.created', data: {} } as unknown as NewEvent;
      const published = { accountId: account.id, origin: null, now: ctx.clock.now(), event };
      await publishEvent(ctx, tx, published);
      const [written] = await tx.select().from(events).where(eq(events.accountId, account.id));
      expect(written?.filteredOut).toEqual({ [webhook.id]: clauseOfContacts });
      throw new Error('rolled back');
    });
    await expect(rolledBack).rejects.toThrow('rolled back');
    expect(await ctx.db.$count(events, eq(events.accountId, account.id))).toBe(0);
    expect(await deliveriesTo(webhook)).toEqual([]);
  });

  test('an event that was filtered out is not among what all missed, and is sent to those that are named', async () => {
    await account.webhook({ name: 'Filtered', filter: byContacts });
    const event = await write(await open(), { author: 'agent' });
    const send = async (body: object) => await caller.post(`/api/v1/events/${event}/send`, body);
    expect(refusedFields(await send({}))).toEqual(['webhooks']);
    const [filtered] = itemsOf(await caller.get('/api/v1/webhooks'));
    expect((await send({ webhooks: [filtered?.id] })).status).toBe(202);
    expect((await outcomes(event))['Filtered']).toMatchObject({ outcome: 'pending' });
  });

  test('a replay applies the filter in force to what has no delivery, and ends', async () => {
    const webhook = await account.webhook({ name: 'Filtered', filter: byContacts });
    const path = `/api/v1/webhooks/${webhook.id}`;
    const conversation = await open();
    ctx.clock.advance(1000);
    await caller.patch(path, { is_active: false });
    const since = ctx.clock.apiTime();
    const sent = await write(conversation, {});
    const left = await write(conversation, { author: 'agent' });
    ctx.clock.advance(10_000);
    await caller.patch(path, { is_active: true });
    const replay = async () => {
      const body = { since, status: 'failed' };
      const { uuid } = dataOf(await caller.post(`${path}/replays`, body));
      while (await advanceReplays(ctx));
      return dataOf(await caller.get(`/api/v1/replays/${String(uuid)}`));
    };
    expect(await replay()).toMatchObject({ state: 'done', total: 2, done: 2 });
    expect((await deliveriesTo(webhook)).map(({ eventId }) => eventId)).toEqual([sent]);
    expect((await outcomes(left))['Filtered']).toMatchObject({ outcome: 'filtered_out' });
    // A wider filter lets through what the one before left out.
    await caller.patch(path, { filter: null });
    ctx.clock.advance(1000);
    await replay();
    expect((await deliveriesTo(webhook)).map(({ eventId }) => eventId)).toContain(left);
  });
}
