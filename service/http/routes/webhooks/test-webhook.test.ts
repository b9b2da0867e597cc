import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { sampleDataOf } from '#lib/contract/events/events.ts';
import { dayMs } from '#lib/durations.ts';
import { dataOf, detailsOf, itemsOf, refusedFields } from '../../../testing/api.ts';
import type { ApiResponse } from '../../../testing/api.ts';
import { useWebhook } from '../../../testing/http/test-webhook.ts';
import { useApi } from '../../../testing/use-api.ts';

const { ctx, account, caller } = useApi();
const webhook = useWebhook({ account, caller });

describe('testing a webhook', () => {
  test('queues an event of its own type, with the sample of the catalog', async () => {
    const response = await webhook.sendTest();
    expect(response.status).toBe(202);
    expect(dataOf(response)).toMatchObject({
      webhook_id: webhook.id,
      event: { type: 'webhook.test', created_at: ctx.clock.apiTime() },
      status: 'pending',
      attempt_count: 0,
      next_attempt_at: ctx.clock.apiTime(),
    });
    expect(await payloadOf(response)).toEqual({
      type: 'webhook.test',
      timestamp: ctx.clock.apiTime(),
      test: true,
      data: { message: 'This is a test. Nothing happened in a conversation.' },
    });
  });

  test('sends the body of another type, and records no event of that type', async () => {
    const { conversation, ...rest } = sampleDataOf('conversation.created') as {
      conversation: object;
    };
    const data = { ...rest, conversation: { ...conversation, subject: 'Mine' } };
    const own = await webhook.sendTest({ type: 'conversation.created', data });
    expect(dataOf(own)).toMatchObject({ event: { type: 'webhook.test' } });
    expect(await payloadOf(own)).toMatchObject({ type: 'conversation.created', test: true, data });
    const sample = await webhook.sendTest({ type: 'message.created' });
    expect(await payloadOf(sample)).toMatchObject({
      type: 'message.created',
      test: true,
      data: { message: { text: 'It was due on Monday.' } },
    });
  });

  test('goes before everything that is pending for the webhook', async () => {
    const earlier = new Date(ctx.clock.now().getTime() - dayMs);
    await webhook.deliver({ dueAt: earlier });
    const response = await webhook.sendTest({});
    const row = (await webhook.deliveries()).find(({ id }) => id === dataOf(response).id);
    expect(row?.dueAt).toEqual(new Date(earlier.getTime() - 1));
  });

  test.each([
    ['an unknown type', { type: 'message.deleted' }, 'type'],
    ['data that the type does not have', { type: 'conversation.closed', data: {} }, 'data'],
    ['data of another type', { data: { conversation: {} } }, 'data'],
    ['data that is no object', { data: 'text' }, 'data'],
    ['an unknown field', { url: 'https://example.com/' }, 'url'],
  ])('with %s is refused at that field', async (_what, body, field) => {
    expect(refusedFields(await webhook.sendTest(body))).toEqual([field]);
  });

  test('with a number that JSON readers round is refused, and not sent rounded', async () => {
    const send = async (number: string) =>
      await webhook.sendTest(`{"data":{"message":"Hello","order":{"id":${number}}}}`);
    expect(detailsOf(await send('9007199254740993'))).toEqual({
      data: [
        'Write numbers beyond ±9007199254740991 as text: reading them as numbers would round them.',
      ],
    });
    expect((await send('9007199254740991')).status).toBe(202);
  });

  test('with data that is wrong or too large says where and why', async () => {
    const wrong = await webhook.sendTest({ data: { message: 7 } });
    expect(detailsOf(wrong)['data']?.[0]).toMatch(/^message: /);
    const { conversation, ...rest } = sampleDataOf('conversation.created') as {
      conversation: object;
    };
    const data = { ...rest, conversation: { ...conversation, subject: 'x'.repeat(65_536) } };
    const large = await webhook.sendTest({ type: 'conversation.created', data });
    expect(detailsOf(large)).toEqual({ data: ['The body would be larger than 64 KiB.'] });
  });

  test('is refused until the set-up is complete, and possible while the webhook is paused', async () => {
    const { id } = await account.webhook({ isActive: false });
    expect(detailsOf(await caller.post(`/api/v1/webhooks/${id}/test`, {}))).toEqual({
      webhook: ['The set-up of this webhook is incomplete. Activate it first.'],
    });
    await webhook.patch({ is_active: false });
    expect((await webhook.sendTest({})).status).toBe(202);
  });

  test('is allowed 10 times a minute for each webhook', async () => {
    const other = await account.webhook();
    for (let count = 1; count <= 10; count += 1) {
      expect((await webhook.sendTest({})).status).toBe(202);
    }
    ctx.clock.advance(20_000);
    const refused = await webhook.sendTest({});
    expect(refused.status).toBe(429);
    expect(refused.headers.get('Retry-After')).toBe('40');
    expect(refused.headers.get('RateLimit-Policy')).toBe('"tests";q=10;w=60');
    expect(refused.headers.get('RateLimit')).toBe('"tests";r=0;t=40');
    expect(refused.body).toMatchObject({
      error: { code: 'RATE_LIMIT_EXCEEDED', retry_after: 40 },
    });
    expect((await caller.post(`/api/v1/webhooks/${other.id}/test`, {})).status).toBe(202);
    ctx.clock.advance(40_000);
    expect((await webhook.sendTest({})).status).toBe(202);
  });

  test.each([
    ['another type', { type: 'message.created' }],
    ['data of one’s own', { data: { message: 'Pay to another account from now on.' } }],
  ])('with %s is refused to support, to viewers and to a replaced token', async (_what, body) => {
    for (const role of ['support', 'viewer'] as const) {
      const member = await account.member(role);
      expect((await webhook.sendTest(body, member)).status).toBe(403);
      expect((await webhook.sendTest({}, member)).status).toBe(202);
    }
    const rotated = await account.key({ type: 'webhook' });
    await caller.post(`/api/v1/api-keys/${rotated.id}/rotate`);
    expect((await webhook.sendTest(body, rotated)).status).toBe(403);
    expect((await webhook.sendTest({}, rotated)).status).toBe(202);
    expect((await webhook.sendTest(body)).status).toBe(202);
  });

  test('is audited with the size and the digest of the data', async () => {
    const data = { message: 'Grüße' };
    await webhook.sendTest({ data });
    const [entry] = itemsOf<{ changes: unknown }>(
      await caller.get('/api/v1/audit-log?action=webhook.tested&limit=1'),
    );
    const text = JSON.stringify(data);
    expect(entry?.changes).toMatchObject({
      type: 'webhook.test',
      data_bytes: Buffer.byteLength(text),
      data_sha256: createHash('sha256').update(text).digest('hex'),
    });
  });
});

async function payloadOf(response: ApiResponse): Promise<unknown> {
  const { uuid } = dataOf<{ event: { uuid: string } }>(response).event;
  const event = (await ctx.db.query.events.findMany()).find((row) => row.uuid === uuid);
  return JSON.parse(event?.payload ?? 'null');
}
