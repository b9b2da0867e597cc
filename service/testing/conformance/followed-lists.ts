import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import type { OpenDatabase } from '../../db/open.ts';
import { messages } from '../../db/schema/conversations.ts';
import { describeMessage } from '../../domain/conversations/describe-message.ts';
import { publishEvent } from '../../domain/events/publish-event.ts';
import { dataOf, detailsOf, itemsOf } from '../api.ts';
import { useApi } from '../use-api.ts';

/** What a client gets that follows a list, on either engine. */
export function describeFollowedLists(engine: OpenDatabase['engine']): void {
  const { ctx, account, caller } = useApi({ engine, accountFor: 'test' });
  let conversationId: number;
  let webhookId: number;

  beforeEach(async () => {
    ({ id: webhookId } = await account.webhook());
    const opened = await caller.post('/api/v1/conversations', { subject: 'Order 1042' });
    conversationId = dataOf(opened).id;
  });

  const written = {
    deliveries: () => `/api/v1/webhooks/${webhookId}/deliveries`,
    events: () => '/api/v1/events',
    messages: () => `/api/v1/conversations/${conversationId}/messages`,
  };
  const lists = { ...written, 'audit entries': () => '/api/v1/audit-log' };

  async function follow(path: string, position: string, limit = 50) {
    const query = `limit=${limit}&follow=${encodeURIComponent(position)}`;
    const response = await caller.get(`${path}?${query}`);
    expect(response.status, response.text).toBe(200);
    const { next_cursor, follow_cursor } = response.body as Record<string, string | null>;
    expect(next_cursor).toBeNull();
    return { ids: itemsOf(response).map(({ id }) => id), next: String(follow_cursor) };
  }

  /** Adds a row to each list. */
  async function addToEach(): Promise<void> {
    const path = `/api/v1/conversations/${conversationId}/messages`;
    const message = { author: 'bot', text: 'Hello' };
    expect((await caller.post(path, message)).status).toBe(201);
    const name = `Renamed ${randomUUID()}`;
    expect((await caller.patch(`/api/v1/webhooks/${webhookId}`, { name })).status).toBe(200);
  }

  const encode = (text: string) => Buffer.from(text).toString('base64url');

  async function newestFirst(path: string): Promise<number[]> {
    return itemsOf(await caller.get(`${path}?limit=100`)).map(({ id }) => id);
  }

  describe.each(Object.entries(lists))('a client that follows %s', (_name, pathOf) => {
    test('gets nothing at first, and then each new row once, oldest first', async () => {
      const path = pathOf();
      await addToEach();
      const start = await follow(path, 'now');
      expect(start.ids).toEqual([]);
      await addToEach();
      await addToEach();
      const first = await follow(path, start.next);
      await addToEach();
      const second = await follow(path, first.next);
      const got = [...first.ids, ...second.ids];
      expect(got.length).toBeGreaterThanOrEqual(3);
      expect(got).toEqual((await newestFirst(path)).slice(0, got.length).toReversed());
      expect((await follow(path, second.next)).ids).toEqual([]);
    });

    test('gets as many rows at a time as it asks for, and misses none', async () => {
      const path = pathOf();
      const position = (await follow(path, 'now')).next;
      for (let made = 1; made <= 3; made += 1) await addToEach();
      const all = (await follow(path, position)).ids;
      await addToEach();
      const got: number[] = [];
      for (let page = await follow(path, position, 1); page.ids.length > 0;) {
        expect(page.ids).toHaveLength(1);
        got.push(...page.ids);
        page = await follow(path, page.next, 1);
      }
      expect(got.slice(0, all.length)).toEqual(all);
      expect(got).toEqual((await newestFirst(path)).slice(0, got.length).toReversed());
      expect(got.length).toBeGreaterThan(all.length);
    });

    test('is told which cursors the list accepts', async () => {
      const path = pathOf();
      const { next } = await follow(path, 'now');
      const refuse = async (query: string) => detailsOf(await caller.get(`${path}?${query}`));
      const advice =
        'Use now, or the follow_cursor of a response of this list. After the database was moved or restored, start again with now.';
      const future = `${Buffer.from(next, 'base64url').toString()};1:9999999999:;1;1`;
      for (const position of ['then', '', `${next}A`, ...['x:1', future].map(encode)]) {
        expect(await refuse(`follow=${position}`)).toEqual({ follow: [advice] });
      }
      const foreign = await follow(
        '/api/v1/webhooks/' + (await account.webhook()).id + '/deliveries',
        'now',
      );
      expect(await refuse(`follow=${foreign.next}`)).toEqual({ follow: [advice] });
      expect(await refuse(`follow=${next}&cursor=${next}`)).toHaveProperty('cursor');
    });
  });

  test('a row whose id was given before those of rows that are listed already is not missed', async () => {
    const paths = Object.values(written).map((pathOf) => pathOf());
    const { rows } = await ctx.maintenanceDb.execute<{
      message: string;
      event: string;
      delivery: string;
    }>(sql`
      select nextval('messages_id_seq') as message, nextval('events_id_seq') as event,
        nextval('deliveries_id_seq') as delivery`);
    const [late] = rows;
    const positions = await Promise.all(paths.map((path) => follow(path, 'now')));
    await addToEach();
    const first = await Promise.all(
      paths.map((path, index) => follow(path, positions[index]?.next ?? '')),
    );
    const { message, event, delivery } = late ?? {};
    await ctx.db.execute(sql`
      with message as (
        insert into messages (account_id, conversation_id, id, author, text, created_at)
        overriding system value
        values (${account.id}, ${conversationId}, ${message}::bigint, 'bot', 'Late', now())
      ), event as (
        insert into events (account_id, id, uuid, type, payload, created_at)
        overriding system value
        values (${account.id}, ${event}::bigint, gen_random_uuid(), 'message.created', '{"data":{}}', now())
      )
      insert into deliveries
        (account_id, webhook_id, event_id, id, event_type, status, created_at)
      overriding system value
      values (${account.id}, ${webhookId}, ${event}::bigint, ${delivery}::bigint,
        'message.created', 'failed', now())`);
    const second = await Promise.all(
      paths.map((path, index) => follow(path, first[index]?.next ?? '')),
    );
    expect(second.map(({ ids }) => ids)).toEqual([
      [Number(delivery)],
      [Number(event)],
      [Number(message)],
    ]);
    for (const [index, { ids }] of first.entries()) {
      expect(Math.min(...ids)).toBeGreaterThan(second[index]?.ids[0] ?? Infinity);
    }
  });

  test.runIf(engine === 'postgresql')(
    'a row that another transaction commits late is not missed, and holds up no other row',
    async () => {
      const paths = Object.values(written).map((pathOf) => pathOf());
      const positions = await Promise.all(paths.map((path) => follow(path, 'now')));
      const during = await ctx.db.transaction(async (tx) => {
        const now = ctx.clock.now();
        const [message] = await tx
          .insert(messages)
          .values({
            accountId: account.id,
            conversationId,
            author: 'contact',
            text: 'Committed late',
            createdAt: now,
          })
          .returning();
        if (!message) throw new Error('no message was written');
        const conversation = { id: conversationId, uuid: message.uuid, subject: 'Order 1042' };
        const data = {
          message: describeMessage(message),
          conversation: { ...conversation, status: 'open' as const, metadata: {} },
          origin: null,
          sequence: 1,
        };
        const event = { type: 'message.created', data } as const;
        await publishEvent(ctx, tx, { accountId: account.id, origin: null, now, event });
        await addToEach();
        return await Promise.all(
          paths.map((path, index) => follow(path, positions[index]?.next ?? '')),
        );
      });
      for (const { ids } of during) expect(ids.length).toBeGreaterThan(0);
      const after = await Promise.all(
        paths.map((path, index) => follow(path, during[index]?.next ?? '')),
      );
      for (const [index, { ids }] of after.entries()) {
        expect(ids).toHaveLength(1);
        expect(ids[0]).toBeLessThan(Math.min(...(during[index]?.ids ?? [])));
        expect((await follow(paths[index] ?? '', after[index]?.next ?? '')).ids).toEqual([]);
      }
    },
  );
}
