import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { events as eventRows } from '../../db/schema/webhooks/events.ts';
import { dataOf, itemsOf, nextCursorOf, refusedFields } from '../api.ts';
import type { ApiResponse, TestClient } from '../api.ts';
import { addDelivery, addEvent } from '../records/deliveries.ts';
import type { DeliveryInTest } from '../records/deliveries.ts';
import type { OpenDatabase } from '../../db/open.ts';
import { useApi } from '../use-api.ts';

/** How events are found and sent. Their statements are written for the plans of PostgreSQL. */
export function describeFoundEvents(engine: OpenDatabase['engine']): void {
  const { ctx, api, account, caller } = useApi({ engine, accountFor: 'test' });

  async function list(query = '', by: TestClient = caller): Promise<ApiResponse> {
    return await by.get(`/api/v1/events${query}`);
  }

  describe('events are found', () => {
    test('by every id of theirs, of their deliveries, message and conversation, and by the webhook-id', async () => {
      const webhook = await account.webhook();
      const subject = 'Where is order 1042?';
      const conversation = dataOf(await caller.post('/api/v1/conversations', { subject }));
      const path = `/api/v1/conversations/${conversation.id}/messages`;
      const message = dataOf(await caller.post(path, { author: 'contact', text: 'Hello' }));
      const [written, opened] = itemsOf(await list());
      const [delivery] = itemsOf(await caller.get(`/api/v1/webhooks/${webhook.id}/deliveries`));
      await addEvent(ctx, account.id);
      for (const id of [
        `msg_${String(written?.['uuid'])}`,
        message['uuid'],
        delivery?.['uuid'],
        String(written?.['uuid']).toUpperCase(),
      ]) {
        expect(itemsOf(await list(`?about=${String(id)}`)), String(id)).toEqual([written]);
      }
      const ofConversation = await list(`?about=${String(conversation['uuid'])}&limit=1`);
      expect(itemsOf(ofConversation)).toEqual([written]);
      const rest = `&cursor=${nextCursorOf(ofConversation)}`;
      expect(itemsOf(await list(`?about=${String(conversation['uuid'])}${rest}`))).toEqual([
        opened,
      ]);
      for (const id of [written?.id, message.id, delivery?.id, conversation.id]) {
        expect(itemsOf(await list(`?about=${id}`)), String(id)).toContainEqual(written);
      }
      const other = await api.account();
      const stranger = await other.key({ scopes: ['events:read'] });
      expect(itemsOf(await list(`?about=${String(written?.['uuid'])}`, stranger))).toEqual([]);
      expect(refusedFields(await list('?about=msg_1'))).toEqual(['about']);
    });

    test('by the outcome of a delivery, page by page', async () => {
      const [one, two] = [await account.webhook(), await account.webhook()];
      const of = async (...statuses: (DeliveryInTest['status'] | null)[]) => {
        const event = await addEvent(ctx, account.id);
        for (const [index, status] of statuses.entries()) {
          const webhookId = (index === 0 ? one : two).id;
          if (status !== null) await addDelivery(ctx, event, { webhookId, status });
        }
        return event.id;
      };
      const none = await of(null, null);
      const delivered = await of('delivered', null);
      const failed = [await of('failed', 'failed'), await of('delivered', 'failed')];
      const waiting = await of('pending', 'failed');
      const cancelled = await of('cancelled');
      const expected = {
        failed: [waiting, failed[1], failed[0]],
        pending: [waiting],
        cancelled: [cancelled],
        delivered: [failed[1], delivered],
        none: [none],
      };
      for (const [outcome, ids] of Object.entries(expected)) {
        const seen: number[] = [];
        for (let cursor: string | null = ''; cursor !== null;) {
          const page = await list(`?outcome=${outcome}&limit=1${cursor && `&cursor=${cursor}`}`);
          seen.push(...itemsOf(page).map(({ id }) => id));
          cursor = nextCursorOf(page);
        }
        expect(seen, outcome).toEqual(ids);
        const since = encodeURIComponent(ctx.clock.apiTime(-1000));
        const windowed = await list(`?outcome=${outcome}&since=${since}&type=message.created`);
        expect(
          itemsOf(windowed).map(({ id }) => id),
          outcome,
        ).toEqual(ids);
      }
    });

    test('or else what is near is: a similar UUID, the events around an id or a time, and what has lost its events', async () => {
      const owner = await account.member('owner');
      const near = async (query: string) =>
        dataOf(await owner.get(`/api/dashboard/near-events?${query}`));
      const first = await addEvent(ctx, account.id);
      ctx.clock.advance(10_000);
      const time = encodeURIComponent(ctx.clock.apiTime());
      ctx.clock.advance(10_000);
      const second = await addEvent(ctx, account.id, { type: 'conversation.closed' });
      const nothing = { gone: null, similar: null, earlier: null, later: null, retention_days: 30 };
      const mistyped = `${first.uuid.slice(0, -1)}${first.uuid.endsWith('0') ? '1' : '0'}`;
      expect(await near(`about=msg_${mistyped}`)).toMatchObject({
        ...nothing,
        similar: { uuid: first.uuid },
      });
      expect(await near(`at=${time}`)).toMatchObject({
        ...nothing,
        earlier: { uuid: first.uuid },
        later: { uuid: second.uuid, type: 'conversation.closed' },
      });
      const far = await near(`about=${second.id + 1000}`);
      expect(far).toMatchObject({ ...nothing, earlier: { uuid: second.uuid } });
      const opened = dataOf(await caller.post('/api/v1/conversations', { subject: 'Order' }));
      await ctx.db.delete(eventRows).where(eq(eventRows.conversationId, opened.id));
      expect(await near(`about=${String(opened['uuid'])}`)).toMatchObject({
        gone: { what: 'conversation', created_at: ctx.clock.apiTime() },
      });
      const stranger = await (await api.account()).member('owner');
      expect(dataOf(await stranger.get(`/api/dashboard/near-events?at=${time}`))).toEqual(nothing);
    });
  });

  describe('an event is sent', () => {
    const send = async (event: number, body: object = {}, by: TestClient = caller) =>
      await by.post(`/api/v1/events/${event}/send`, body);
    const outcomes = async (event: number) =>
      new Map(
        (dataOf(await caller.get(`/api/v1/events/${event}`))['outcomes'] as Outcome[]).map(
          (each) => [each.webhook.name, each.outcome],
        ),
      );

    test('to every webhook that missed it, with the same webhook-id, and the log says so', async () => {
      const failed = await account.webhook({ name: 'Failed' });
      const delivered = await account.webhook({ name: 'Delivered' });
      await account.webhook({ name: 'Elsewhere', events: ['conversation.closed'] });
      await account.webhook({ name: 'Paused', isActive: false });
      const event = await addEvent(ctx, account.id);
      await addDelivery(ctx, event, { webhookId: failed.id, status: 'failed', attemptCount: 8 });
      await addDelivery(ctx, event, { webhookId: delivered.id, status: 'delivered' });
      ctx.clock.advance(1000);
      await account.webhook({ name: 'New' });
      const response = await send(event.id);
      expect(response.status).toBe(202);
      expect(response.body).toMatchObject({
        data: [
          { webhook_id: failed.id, event: { uuid: event.uuid }, status: 'pending' },
          { event: { uuid: event.uuid }, status: 'pending', attempt_count: 0 },
        ],
      });
      expect(await outcomes(event.id)).toEqual(
        new Map([
          ['Delivered', 'delivered'],
          ['Elsewhere', 'not_subscribed'],
          ['Failed', 'pending'],
          ['New', 'pending'],
          ['Paused', 'set_up'],
        ]),
      );
      const [entry] = itemsOf(await caller.get('/api/v1/audit-log'));
      expect(entry).toMatchObject({
        action: 'event.sent',
        target: { kind: 'event', id: event.uuid, name: 'message.created' },
        changes: { webhooks: ['Failed', 'New'] },
      });
      // Nothing is left to send; what was sent a moment ago has to wait.
      expect(refusedFields(await send(event.id))).toEqual(['webhooks']);
      expect((await send(event.id, { webhooks: [failed.id] })).status).toBe(429);
    });

    test('to a webhook that it subscribes first, by those who may change webhooks', async () => {
      const webhook = await account.webhook({ name: 'Returns', events: ['conversation.closed'] });
      const event = await addEvent(ctx, account.id);
      const body = { webhooks: [webhook.id], subscribe: true };
      expect((await send(event.id, body, await account.member('support'))).status).toBe(403);
      expect(refusedFields(await send(event.id, { webhooks: [webhook.id] }))).toEqual(['webhooks']);
      expect((await send(event.id, body)).status).toBe(202);
      const changed = dataOf(await caller.get(`/api/v1/webhooks/${webhook.id}`));
      expect(changed['events']).toEqual(['conversation.closed', 'message.created']);
      const actions = itemsOf(await caller.get('/api/v1/audit-log')).map(
        (entry) => entry['action'],
      );
      expect(actions.slice(0, 2)).toEqual(['event.sent', 'webhook.updated']);
    });

    test('to none if one of the webhooks cannot get it', async () => {
      const good = await account.webhook({ name: 'Good' });
      const inactive = await account.webhook({ name: 'Inactive', isActive: false });
      const about = await account.webhook({ name: 'About', events: ['webhook.failing'] });
      const event = await addEvent(ctx, account.id);
      const both = { webhooks: [good.id, inactive.id] };
      expect(refusedFields(await send(event.id, both))).toEqual(['webhooks']);
      const elsewhere = await (await api.account()).webhook();
      expect((await send(event.id, { webhooks: [good.id, elsewhere.id] })).status).toBe(404);
      expect((await outcomes(event.id)).get('Good')).toBe('not_made');
      const failing = await addEvent(ctx, account.id, { type: 'webhook.failing' });
      await ctx.db
        .update(eventRows)
        .set({ aboutWebhookId: about.id })
        .where(eq(eventRows.id, failing.id));
      expect(refusedFields(await send(failing.id, { webhooks: [about.id] }))).toEqual(['webhooks']);
      const sentTest = await addEvent(ctx, account.id, { type: 'webhook.test' });
      expect(refusedFields(await send(sentTest.id, { webhooks: [good.id] }))).toEqual(['event']);
    });

    test('without payload rights, a key or member that may replay sends it and reads nothing of it', async () => {
      await account.webhook({ name: 'Orders' });
      const event = await addEvent(ctx, account.id, {
        at: new Date(ctx.clock.now().getTime() - 1),
      });
      const key = await account.key({ scopes: ['webhooks:manage'] });
      const response = await send(event.id, {}, key);
      expect(response.status).toBe(202);
      expect(response.text).not.toContain('text');
    });
  });
}

type Outcome = { webhook: { name: string }; outcome: string };
