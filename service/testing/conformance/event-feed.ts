import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Webhook } from 'standardwebhooks';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { StreamedDelivery } from '#lib/contract/events/event-feed.ts';
import type { EventType } from '#lib/contract/events/events.ts';
import type { OpenDatabase } from '../../db/open.ts';
import { events } from '../../db/schema/webhooks/events.ts';
import { endSilentStreams, endsWithinMs } from '../../domain/event-feed/stream-events.ts';
import { dataOf, detailsOf, itemsOf, type TestKey } from '../api.ts';
import { ApiListener } from '../http/api-listener.ts';
import { useApi } from '../use-api.ts';

type Message = { id: string; delivery: StreamedDelivery };

/** The streams of events. Their order depends on which transactions are committed first. */
export function describeEventFeed(engine: OpenDatabase['engine']): void {
  const { ctx, api, account, owner, caller } = useApi({ engine, accountFor: 'test' });

  async function addWebhook(more: object = {}): Promise<{ path: string; secret: string }> {
    const created = await caller.post('/api/v1/webhooks', {
      name: 'Orders',
      url: 'https://orders.example.com/',
      events: ['conversation.created'],
      is_active: false,
      ...more,
    });
    const path = `/api/v1/webhooks/${dataOf(created).id}`;
    const { secret } = dataOf<{ secret: string }>(await caller.post(`${path}/regenerate-secret`));
    return { path, secret };
  }

  async function open(
    path: string,
    { key = caller, headers = {} }: { key?: Pick<TestKey, 'token'>; headers?: object } = {},
  ): Promise<Stream> {
    const response = await api.app.request(path, {
      headers: {
        Authorization: `Bearer ${key.token}`,
        'x-client-address': '203.0.113.7',
        ...headers,
      },
    });
    const stream = new Stream(response);
    onTestFinished(() => stream.close());
    return stream;
  }

  async function converse(subject: string): Promise<void> {
    expect((await caller.post('/api/v1/conversations', { subject })).status).toBe(201);
  }

  async function addEvents(
    count: number,
    payload: object,
    type: EventType = 'conversation.created',
  ): Promise<void> {
    const row = { accountId: account.id, type, payload: JSON.stringify(payload) };
    const createdAt = ctx.clock.now();
    await ctx.db
      .insert(events)
      .values(Array.from({ length: count }, () => ({ ...row, uuid: randomUUID(), createdAt })));
  }

  test('an event arrives as a delivery would send it, and its signature is that of the webhook', async () => {
    const { path, secret } = await addWebhook();
    const stream = await open(`${path}/feed`);
    expect(stream.response.headers.get('Content-Type')).toBe('text/event-stream');
    await stream.next();
    await converse('Where is order 1042?');
    const [event] = itemsOf(await caller.get('/api/v1/events?type=conversation.created'));
    const { headers, body } = (await stream.message()).delivery;
    expect(headers).toMatchObject({
      'Content-Type': 'application/json',
      'webhook-id': `msg_${String(event?.['uuid'])}`,
      'webhook-timestamp': String(ctx.clock.now().getTime() / 1000),
    });
    ctx.clock.advance(Date.now() - ctx.clock.now().getTime());
    await converse('Signed now');
    const signed = (await stream.message()).delivery;
    expect(new Webhook(secret).verify(signed.body, signed.headers)).toMatchObject({
      type: 'conversation.created',
      data: { conversation: { subject: 'Signed now' } },
    });
    expect(JSON.parse(body)).toMatchObject({
      data: { conversation: { subject: 'Where is order 1042?' } },
    });
  });

  test('only events of the types and the filter of the webhook arrive', async () => {
    const { path } = await addWebhook({
      events: ['conversation.created', 'conversation.closed'],
      filter: { '==': [{ var: 'data.conversation.subject' }, 'Wanted'] },
    });
    const stream = await open(`${path}/feed`);
    await stream.next();
    for (const subject of ['Unwanted', 'Wanted']) {
      const opened = dataOf(await caller.post('/api/v1/conversations', { subject }));
      const conversation = `/api/v1/conversations/${opened.id}`;
      await caller.post(`${conversation}/messages`, { author: 'agent', text: 'Hello' });
      await caller.post(`${conversation}/close`);
    }
    const arrived = [await stream.message(), await stream.message()].map(
      ({ delivery }) => JSON.parse(delivery.body) as unknown,
    );
    expect(arrived).toMatchObject([
      { type: 'conversation.created', data: { conversation: { subject: 'Wanted' } } },
      { type: 'conversation.closed', data: { conversation: { subject: 'Wanted' } } },
    ]);
  });

  test('no event is missing or comes twice while many are written at the same time, and a client that connects again continues where it was', async () => {
    const { path } = await addWebhook();
    let stream = await open(`${path}/feed`);
    await stream.next();
    const count = 60;
    const writing = Promise.all(
      [1, 2, 3, 4].map(async (writer) => {
        for (let each = 1; each <= count / 4; each += 1) await converse(`${writer}-${each}`);
      }),
    );
    const arrived: string[] = [];
    while (arrived.length < count) {
      const { id, delivery } = await stream.message();
      arrived.push(delivery.headers['webhook-id'] ?? '');
      if (arrived.length % 20 !== 0) continue;
      await stream.close();
      stream =
        arrived.length === 20
          ? await open(`${path}/feed`, { headers: { 'Last-Event-ID': id } })
          : await open(`${path}/feed?cursor=${id}`);
    }
    await writing;
    const listed = itemsOf(await caller.get('/api/v1/events?type=conversation.created&limit=100'));
    expect(arrived.toSorted()).toEqual(listed.map(({ uuid }) => `msg_${String(uuid)}`).toSorted());
  });

  test.runIf(engine === 'postgresql')(
    'an event that another transaction commits late is not missed, and holds up no other event',
    async () => {
      const { path } = await addWebhook();
      const stream = await open(`${path}/feed`);
      await stream.next();
      const uuid = randomUUID();
      await ctx.db.transaction(async (tx) => {
        await tx.insert(events).values({
          accountId: account.id,
          uuid,
          type: 'conversation.created',
          payload: '{}',
          createdAt: ctx.clock.now(),
        });
        await converse('In the meantime');
        expect((await stream.message()).delivery.body).toContain('In the meantime');
      });
      expect((await stream.message()).delivery.headers['webhook-id']).toBe(`msg_${uuid}`);
    },
  );

  test('a client that does not read is disconnected, gets what it missed when it connects again, and holds up nobody', async () => {
    const { path } = await addWebhook();
    const listener = new ApiListener();
    onTestFinished(() => listener.close());
    await listener.serve(ctx, api, { inactivityTimeout: 5000 });
    const reading = await open(`${path}/feed`);
    await reading.next();
    const stuck = await listener.open();
    onTestFinished(() => void stuck.destroy());
    stuck.write(
      `GET ${path}/feed HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${caller.token}\r\n\r\n`,
    );
    let begun = '';
    while (!begun.includes('id: ')) begun += String(((await once(stuck, 'data')) as [Buffer])[0]);
    stuck.pause();

    // More than the buffers of a connection can take.
    const count = 300;
    const payload = JSON.stringify({ type: 'conversation.created', data: 'x'.repeat(100_000) });
    const uuids = Array.from({ length: count }, () => randomUUID());
    const event = { accountId: account.id, type: 'conversation.created', payload } as const;
    for (let begin = 0; begin < count; begin += 50) {
      const rows = uuids.slice(begin, begin + 50).map((uuid) => ({ ...event, uuid }));
      const createdAt = ctx.clock.now();
      await ctx.db.insert(events).values(rows.map((row) => ({ ...row, createdAt })));
    }
    const arrivedAt = async (stream: Stream) => {
      const arrived: string[] = [];
      while (arrived.length < count)
        arrived.push((await stream.message()).delivery.headers['webhook-id'] ?? '');
      return arrived;
    };
    const all = uuids.map((uuid) => `msg_${uuid}`);
    expect(await arrivedAt(reading)).toEqual(all);
    await reading.close();

    const closed = async () =>
      itemsOf(await caller.get('/api/v1/audit-log?action=webhook.stream_closed'));
    await expect.poll(closed, { timeout: 20_000 }).toHaveLength(2);
    const sent = (await closed()).map(({ changes }) => (changes as { events: number }).events);
    expect(Math.max(...sent)).toBe(count);
    expect(Math.min(...sent)).toBeLessThan(count);
    const [, cursor = ''] = /id: (\S+)/.exec(begun) ?? [];
    expect(await arrivedAt(await open(`${path}/feed?cursor=${cursor}`))).toEqual(all);
  });

  test('a client that connects again need not wait again for events that the filter left out', async () => {
    const { path } = await addWebhook({
      filter: { '==': [{ var: 'data.conversation.subject' }, 'Wanted'] },
    });
    const pass = moveMonotonicClock();
    const stream = await open(`${path}/feed`);
    await stream.next();
    const left = { data: { conversation: { subject: 'Unwanted' } } };
    await addEvents(120, left);
    pass(16_000);
    const [, cursor = ''] = /^id: (\S+)\n\n$/.exec((await stream.next()) ?? '') ?? [];
    await stream.close();

    await caller.patch(path, { filter: null });
    await converse('Last');
    const again = await open(`${path}/feed?cursor=${cursor}`);
    let arrived = 1;
    while (!(await again.message()).delivery.body.includes('Last')) arrived += 1;
    // It had looked at one batch.
    expect(arrived).toBe(120 - 50 + 1);
  });

  test('what a client missed is read in its turn among the heavy reads of the account, which hold up no new event', async () => {
    const { path } = await addWebhook();
    const before = await open(`${path}/feed`);
    const [, cursor = ''] = /^id: (\S+)/.exec((await before.next()) ?? '') ?? [];
    await before.close();
    await converse('Missed');
    const release = Promise.withResolvers<void>();
    const busy = [1, 2].map(async () => {
      await ctx.heavyReads.run(account.id, async () => await release.promise);
    });
    const live = await open(`${path}/feed`);
    await live.next();
    await converse('New');
    expect((await live.message()).delivery.body).toContain('New');

    const read = vi.spyOn(ctx.heavyReads, 'run');
    const missed = (await open(`${path}/feed?cursor=${cursor}`)).message();
    await vi.waitUntil(() => read.mock.calls.length > 0, { timeout: 20_000 });
    read.mockRestore();
    release.resolve();
    await Promise.all(busy);
    expect((await missed).delivery.body).toContain('Missed');
  });

  test('an event is not sent if its type was removed after it was read', async () => {
    const { path } = await addWebhook();
    const pass = moveMonotonicClock();
    const stream = await open(`${path}/feed`);
    await stream.next();
    await addEvents(2, {});
    await stream.message();
    await caller.patch(path, { events: ['conversation.closed'] });
    pass(3000);
    await addEvents(1, { data: 'Closed' }, 'conversation.closed');
    expect((await stream.message()).delivery.body).toContain('Closed');
  });

  test('a cursor that no stream returned is refused', async () => {
    const { path } = await addWebhook();
    const future = ['9999999999:9999999999:', '1:1:;1:9999999999:;1;1'].map((position) =>
      Buffer.from(`follow/events:${position}`).toString('base64url'),
    );
    for (const cursor of ['abc', ...future]) {
      const response = await caller.get(`${path}/feed?cursor=${cursor}`);
      expect(response.status).toBe(422);
      expect(Object.keys(detailsOf(response))).toEqual(['cursor']);
    }
  });

  test('an account can have five open streams; one that is closed, or whose process crashed, does not count', async () => {
    const { path } = await addWebhook();
    const asked = await Promise.all(Array.from({ length: 8 }, () => open(`${path}/feed`)));
    const streams = asked.filter(({ response }) => response.status === 200);
    expect(streams).toHaveLength(5);
    for (const stream of streams) await stream.next();
    const refused = await caller.get(`${path}/feed`);
    expect([refused.status, refused.headers.get('Retry-After')]).toEqual([429, '10']);
    expect(refused.body).toMatchObject({ error: { reason: 'stream_limit' } });
    await streams[0]?.close();
    const again = await open(`${path}/feed`);
    expect(again.response.status).toBe(200);
    await again.next();
    expect((await caller.get(`${path}/feed`)).status).toBe(429);
    // Nobody reads from the streams, so they say no longer that they are open.
    ctx.clock.advance(31_000);
    expect((await caller.get(`${path}/feed`)).status).toBe(200);
  });

  test('the end of a stream that its process could not record is recorded once, within 40 seconds', async () => {
    const { path } = await addWebhook();
    const stream = await open(`${path}/feed`);
    await stream.next();
    const ends = async () =>
      itemsOf(await caller.get('/api/v1/audit-log?action=webhook.stream_closed'));
    ctx.clock.advance(29_000);
    await endSilentStreams(ctx);
    expect(await ends()).toEqual([]);
    ctx.clock.advance(2000);
    await endSilentStreams(ctx);
    await stream.close();
    expect(await ends()).toMatchObject([
      {
        actor: { kind: 'system', name: 'Housekeeping' },
        target: { kind: 'webhook', name: 'Orders' },
        changes: { reason: 'silent' },
      },
    ]);
  });

  describe('a stream ends within five seconds', () => {
    test('as often as it looks for the rights of its caller', () => {
      expect(endsWithinMs).toBeLessThan(5000);
    });

    /** A stream that has had an event, so that the rights of its caller were just read. */
    async function openAndRead(path: string): Promise<{ stream: Stream; key: TestKey }> {
      const key = await account.key({
        type: 'limited',
        scopes: ['events:listen', 'conversations:read'],
      });
      const stream = await open(`${path}/feed`, { key });
      await stream.next();
      await converse('Read');
      await stream.message();
      return { stream, key };
    }

    const streamEntries = async () =>
      itemsOf(await caller.get('/api/v1/audit-log?action=webhook&limit=100'))
        .map(({ action }) => String(action))
        .filter((action) => action.includes('stream'))
        .toSorted();

    test('after its key is revoked or paused, or loses the scope or the network', async () => {
      const { path } = await addWebhook();
      const acts: ((key: string) => Promise<{ status: number }>)[] = [
        (key) => owner.delete(key),
        (key) => owner.post(`${key}/pause`),
        (key) => owner.patch(key, { scopes: ['webhooks:read'] }),
        (key) => owner.patch(key, { allowed_cidrs: ['192.0.2.0/24'] }),
      ];
      const streams: Stream[] = [];
      for (const act of acts) {
        const { stream, key } = await openAndRead(path);
        expect((await act(`/api/v1/api-keys/${key.uuid}`)).status).toBeLessThan(300);
        streams.push(stream);
      }
      await Promise.all(streams.map((stream) => stream.ended()));
      expect(await streamEntries()).toEqual([
        ...acts.map(() => 'webhook.stream_closed'),
        ...acts.map(() => 'webhook.stream_opened'),
      ]);
    });

    test('after its webhook is deleted', async () => {
      const { path } = await addWebhook();
      const { stream } = await openAndRead(path);
      await caller.delete(path);
      await stream.ended();
      expect(await streamEntries()).toEqual(['webhook.stream_closed', 'webhook.stream_opened']);
    });

    test('after its process begins to stop', async () => {
      const { path } = await addWebhook();
      const { stream } = await openAndRead(path);
      await ctx.eventStreams.endAll();
      await stream.ended();
      expect(await streamEntries()).toEqual(['webhook.stream_closed', 'webhook.stream_opened']);
    });
  });
}

/** @returns what moves the clock with which streams measure how old something is */
function moveMonotonicClock(): (ms: number) => void {
  let aheadMs = 0;
  const now = performance.now.bind(performance);
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + aheadMs);
  onTestFinished(() => clock.mockRestore());
  return (ms) => {
    aheadMs += ms;
  };
}

/** A stream as a client reads it. */
class Stream {
  readonly response: Response;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;

  constructor(response: Response) {
    this.response = response;
    this.#reader = response.body?.getReader();
  }

  /** The next piece of text, which is a whole message; null at the end. */
  async next(): Promise<string | null> {
    const { done, value } = (await this.#reader?.read()) ?? { done: true };
    return done ? null : new TextDecoder().decode(value);
  }

  /** The next message with data. */
  async message(): Promise<Message> {
    for (;;) {
      const text = await this.next();
      if (text === null) throw new Error('the stream has ended');
      const [, id = '', data] = /^id: (\S+)\n(?:data: (.*)\n)?\n$/.exec(text) ?? [];
      if (data !== undefined) return { id, delivery: JSON.parse(data) as StreamedDelivery };
    }
  }

  async ended(): Promise<void> {
    while ((await this.next()) !== null);
  }

  async close(): Promise<void> {
    await this.#reader?.cancel();
  }
}
