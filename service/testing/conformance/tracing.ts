import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { minuteMs } from '#lib/durations.ts';
import type { Config } from '../../config/load-config.ts';
import type { OpenDatabase } from '../../db/open.ts';
import { deliveries } from '../../db/schema/webhooks/deliveries.ts';
import { events } from '../../db/schema/webhooks/events.ts';
import { lanes } from '../../db/schema/webhooks/lanes.ts';
import { createSender } from '../../delivery/sending/send.ts';
import { MessageWrites, groupLimits } from '../../domain/conversations/message-writes.ts';
import { createOtlpTracing } from '../../tracing/otlp-tracing.ts';
import type { Tracing } from '../../tracing/tracing.ts';
import { dataOf, TestApi, type TestClient } from '../api.ts';
import { logStatements } from '../databases/log-statements.ts';
import { eventually, passTime, startTestWorker } from '../delivery/delivery-worker.ts';
import { respond, startReceiver, type Receiver } from '../delivery/receiver.ts';
import { startCollector, type Collector, type ReceivedSpan } from '../tracing/collector.ts';
import { useApi } from '../use-api.ts';

/** All that a span may say. Extend it only with what no customer, receiver or secret has said. */
const knownAttributes = [
  'conversation_service.account.id',
  'conversation_service.attempt.outcome',
  'conversation_service.request.id',
  'conversation_service.webhook.id',
  'error.type',
  'http.request.method',
  'http.request.resend_count',
  'http.response.status_code',
  'http.route',
  'messaging.destination.name',
  'messaging.message.id',
  'messaging.operation.name',
  'messaging.operation.type',
  'messaging.system',
];

/** What is recorded of calls, events and attempts, on either database. */
export function describeTracing(engine: OpenDatabase['engine']): void {
  describe(`traces on ${engine}`, () => {
    const { ctx, account, caller } = useApi({
      engine,
      accountFor: 'test',
      config: { webhookAllowHttp: true, webhookAllowedCidrs: ['127.0.0.0/8'] },
    });
    let collector: Collector;
    let receiver: Receiver;
    let ends: (() => Promise<unknown>)[];
    beforeEach(async () => {
      collector = await startCollector();
      receiver = await startReceiver();
      ends = [];
    });
    afterEach(async () => {
      for (const end of ends) await end();
      await receiver.close();
      await collector.close();
      // Deliveries of one test must not be due in the next.
      await ctx.db.delete(deliveries);
      await ctx.db.update(lanes).set({ wakeAt: null, owner: null, isDirty: false });
    });

    /** A process of the service that sends its spans to the collector. */
    function startProcess({ sampleRatio = 1, ...config }: ProcessOptions = {}) {
      const tracing = createOtlpTracing(
        {
          endpoint: new URL(collector.origin),
          headers: { 'api-key': 'collector-secret' },
          serviceName: 'keys',
          sampleRatio,
        },
        ctx.log,
      );
      const own = { ...ctx, tracing, config: { ...ctx.config, ...config } };
      return {
        tracing,
        client: new TestApi(own).as(caller.token),
        /** Runs its worker until it is stopped, which waits for the attempts in progress. */
        work: () => {
          const sender = createSender(own);
          const worker = startTestWorker(own, { sender });
          const stop = async () => {
            await worker.stop();
            await sender.close();
          };
          ends.push(stop);
          return { stop };
        },
      };
    }

    type ProcessOptions = { sampleRatio?: number } & Partial<Config>;

    async function openConversation(client: TestClient): Promise<string> {
      const opened = await client.post('/api/v1/conversations', { subject: 'Payload subject' });
      return `/api/v1/conversations/${dataOf(opened).id}`;
    }

    /** The spans of the trace that has an event of this type, by the event’s span. */
    function traceOf(type: string): { event: ReceivedSpan; trace: ReceivedSpan[] } {
      const spans = collector.spans();
      const event = spans.find(({ name }) => name === `publish ${type}`);
      if (!event) throw new Error(`no span of ${type}`);
      return { event, trace: spans.filter(({ traceId }) => traceId === event.traceId) };
    }

    /** Waits until no delivery is pending. The first attempt of each that failed is repeated. */
    async function allDelivered(): Promise<void> {
      const read = async () => await ctx.db.query.deliveries.findMany();
      await eventually(async () =>
        (await read()).every(({ attemptCount }) => attemptCount > 0),
      ).toBe(true);
      await passTime(ctx, 5000);
      await eventually(async () =>
        (await read()).every(({ status }) => status === 'delivered'),
      ).toBe(true);
    }

    test('show a call, the event that it publishes and each attempt to deliver it, in one trace', async () => {
      const { id } = await account.webhook({ url: receiver.origin, events: ['message.created'] });
      const { tracing, client, work } = startProcess();
      const messages = `${await openConversation(client)}/messages`;
      receiver.respondWith(respond(503), respond(204));
      const worker = work();
      const sent = await client.post(messages, { author: 'bot', text: 'Hello' });
      await allDelivered();
      await worker.stop();
      await tracing.stop();

      const { event, trace } = traceOf('message.created');
      const call = trace.find(({ kind }) => kind === 'SERVER');
      const attempts = trace.filter(({ kind }) => kind === 'CLIENT');
      const route = '/api/v1/conversations/{conversation}/messages';
      const messageId = receiver.requests[0]?.headers['webhook-id'];
      expect(trace).toHaveLength(4);
      expect(call).toMatchObject({
        name: `POST ${route}`,
        parentSpanId: null,
        isFailed: false,
        attributes: {
          'http.request.method': 'POST',
          'http.route': route,
          'http.response.status_code': 201,
          'conversation_service.account.id': account.id,
          'conversation_service.request.id': sent.headers.get('X-Request-Id'),
        },
      });
      expect(event).toMatchObject({
        kind: 'PRODUCER',
        parentSpanId: call?.spanId,
        attributes: {
          'messaging.message.id': messageId,
          'messaging.destination.name': 'message.created',
          'conversation_service.account.id': account.id,
        },
      });
      const attempt = {
        name: 'POST webhook',
        parentSpanId: event.spanId,
        attributes: {
          'messaging.message.id': messageId,
          'conversation_service.account.id': account.id,
          'conversation_service.webhook.id': id,
        },
      };
      expect(attempts).toMatchObject([attempt, attempt]);
      expect(attempts).toMatchObject([
        {
          isFailed: true,
          attributes: {
            'http.response.status_code': 503,
            'error.type': '503',
            'conversation_service.attempt.outcome': 'retry',
          },
        },
        {
          isFailed: false,
          attributes: {
            'http.response.status_code': 204,
            'http.request.resend_count': 1,
            'conversation_service.attempt.outcome': 'delivered',
          },
        },
      ]);
      expect(collector.resources()[0]).toMatchObject({ 'service.name': 'keys' });
      expect(collector.headers[0]).toMatchObject({ 'api-key': 'collector-secret' });
    });

    test('continue in another process that makes the attempts, after the one that published has ended', async () => {
      await account.webhook({ url: receiver.origin });
      const [first, second] = [startProcess(), startProcess()];
      const conversation = await openConversation(first.client);
      const message = { author: 'bot', text: 'Hello' };
      await first.client.post(`${conversation}/messages`, message, { 'Idempotency-Key': 'one' });
      await first.client.post(`${conversation}/close`);
      await first.tracing.stop();
      ctx.clock.advance(10 * minuteMs);
      const worker = second.work();
      await allDelivered();
      await worker.stop();
      await second.tracing.stop();

      for (const type of ['conversation.created', 'message.created', 'conversation.closed']) {
        const { event, trace } = traceOf(type);
        const attempt = trace.find(({ kind }) => kind === 'CLIENT');
        expect(trace).toHaveLength(3);
        expect(attempt?.parentSpanId).toBe(event.spanId);
        expect(attempt?.process).not.toBe(event.process);
      }
    });

    test('contain an event that no call published, and test events', async () => {
      const { uuid } = await account.webhook({ url: receiver.origin, events: ['message.created'] });
      await account.webhook({ url: receiver.origin, events: ['webhook.deactivated'] });
      const { tracing, client, work } = startProcess();
      receiver.respondWith(respond(410), respond(204));
      const worker = work();
      await client.post(`${await openConversation(client)}/messages`, { author: 'bot', text: 'x' });
      await receiver.received(2);
      receiver.respondWith(respond(204));
      await client.post(`/api/v1/webhooks/${uuid}/test`);
      await receiver.received(3);
      await worker.stop();
      await tracing.stop();

      const deactivated = traceOf('webhook.deactivated');
      expect(deactivated.event.parentSpanId).toBeNull();
      expect(deactivated.trace.map(({ kind }) => kind).toSorted()).toEqual(['CLIENT', 'PRODUCER']);
      const tested = traceOf('webhook.test').trace;
      expect(tested.map(({ kind }) => kind).toSorted()).toEqual(['CLIENT', 'PRODUCER', 'SERVER']);
    });

    test('contain no event that was refused', async () => {
      const { tracing, client } = startProcess();
      const conversation = await openConversation(client);
      await client.post(`${conversation}/close`);
      const message = { author: 'bot', text: 'Hello' };
      expect((await client.post(`${conversation}/messages`, message)).status).toBe(422);
      await tracing.stop();
      expect(collector.spans().map(({ name }) => name)).not.toContain('publish message.created');
    });

    test('contain no token, secret, payload, query, address or response, and no unknown attribute', async () => {
      const webhook = await account.webhook({
        url: `${receiver.origin}/path-secret?key=query-secret`,
        headers: { 'X-Gateway': 'static-header-secret' },
      });
      const { tracing, client, work } = startProcess();
      const regenerated = await client.post(`/api/v1/webhooks/${webhook.uuid}/regenerate-secret`);
      const signing = dataOf<{ secret: string }>(regenerated).secret;
      receiver.respondWith(
        respond(500, { 'X-Response': 'response-header' }, 'response-words'),
        respond(200, {}, 'response-words'),
      );
      const worker = work();
      const conversation = await openConversation(client);
      const message = { author: 'bot', text: 'payload-text', metadata: { order: 'payload-value' } };
      await client.post(`${conversation}/messages?since=query-value`, message);
      await client.post(`${conversation}/messages`, message, { 'User-Agent': 'caller-agent' });
      await client.get('/api/v1/conversations?contact=query-value');
      await client.get('/api/v1/path-of-caller');
      await client.get('/api/v1/api-key', { 'X-Request-Id': caller.token });
      await client.as(`${caller.token.slice(0, -1)}x`).get('/api/v1/api-key');
      await allDelivered();
      await worker.stop();
      await tracing.stop();

      const received = collector.text();
      expect(received).toContain('publish message.created');
      for (const hidden of [
        caller.token,
        caller.token.slice(-8),
        signing,
        signing.slice('whsec_'.length),
        'collector-secret',
        'static-header-secret',
        'path-secret',
        'query-secret',
        receiver.origin,
        '127.0.0.1',
        '203.0.113.7',
        'Payload subject',
        'payload-text',
        'payload-value',
        'query-value',
        'path-of-caller',
        'caller-agent',
        'response-header',
        'response-words',
        'select ',
        'insert ',
      ]) {
        expect(received).not.toContain(hidden);
      }
      const names = collector.spans().flatMap(({ attributes }) => Object.keys(attributes));
      expect([...new Set(names)].toSorted()).toEqual(knownAttributes);
    });

    test('ignore the trace of a caller, and reach receivers only if an operator wants it', async () => {
      await account.webhook({ url: receiver.origin, events: ['message.created'] });
      const given = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
      for (const webhookTraceparent of [false, true]) {
        const { tracing, client, work } = startProcess({ webhookTraceparent });
        const messages = `${await openConversation(client)}/messages`;
        const worker = work();
        await client.post(messages, { author: 'bot', text: 'Hello' }, { traceparent: given });
        await receiver.received(webhookTraceparent ? 2 : 1);
        await worker.stop();
        await tracing.stop();
      }
      const [without, sent] = receiver.requests.map(({ headers }) => headers['traceparent']);
      expect(without).toBeUndefined();
      const attempt = collector.spans().findLast(({ kind }) => kind === 'CLIENT');
      expect(sent).toBe(`00-${attempt?.traceId}-${attempt?.spanId}-01`);
      expect(collector.text()).not.toContain('a'.repeat(32));
    });

    test('are left out whole, by the share that is recorded', async () => {
      await account.webhook({ url: receiver.origin });
      const quiet = startProcess({ sampleRatio: 0 });
      const worker = startProcess();
      await openConversation(quiet.client);
      const working = worker.work();
      await allDelivered();
      await working.stop();
      await Promise.all([quiet.tracing.stop(), worker.tracing.stop()]);
      expect(collector.spans()).toEqual([]);
    });

    test('take no statement, and store nothing if they are off', async () => {
      await account.webhook({ url: receiver.origin });
      const made: { statements: string[]; stored: (string | null)[] }[] = [];
      const { tracing } = startProcess();
      for (const chosen of [null, tracing] satisfies (Tracing | null)[]) {
        const statements: string[] = [];
        const db = logStatements(ctx.database, statements);
        const { laneNotifier } = ctx;
        const messageWrites = new MessageWrites({ db, laneNotifier, limits: groupLimits[engine] });
        const client = new TestApi({ ...ctx, db, messageWrites, tracing: chosen }).as(caller.token);
        // The first calls look the key up.
        await client.get('/api/v1/api-key');
        await client.get('/api/v1/api-key');
        statements.length = 0;
        const conversation = await openConversation(client);
        await client.post(`${conversation}/messages`, { author: 'bot', text: 'Hello' });
        await client.post(`${conversation}/close`);
        const rows = await ctx.db.select().from(events).where(eq(events.accountId, account.id));
        await ctx.db.delete(events);
        // The notification of a token's first use may arrive late: then the key is looked up again.
        const others = statements.filter((each) => !each.includes('from "api_key_tokens" inner'));
        made.push({ statements: others, stored: rows.map(({ traceParent }) => traceParent) });
      }
      await tracing.stop();
      const [off, on] = made;
      expect(off?.stored).toEqual([null, null, null]);
      expect(on?.stored.map((each) => each?.slice(0, 3))).toEqual(['00-', '00-', '00-']);
      expect(on?.statements).toEqual(off?.statements);
      expect(off?.statements.length).toBeGreaterThan(3);
    });
  });
}
