import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { auditEntries } from '../../../db/schema/audit.ts';
import { idempotentResponses } from '../../../db/schema/idempotent-responses.ts';
import { openHeaders } from '../../../domain/webhooks/static-headers.ts';
import { dataOf, detailsOf, refusedFields } from '../../../testing/api.ts';
import { useApi } from '../../../testing/use-api.ts';

const { ctx, api, account, caller } = useApi({ config: { webhookAllowHttp: true } });

const url = 'https://orders.example.com/hooks';
const value = 'Bearer s3cr3t-value';

async function create(headers: unknown, idempotencyKey?: string) {
  return await api.call('POST', '/api/v1/webhooks', {
    token: caller.token,
    body: { name: 'Orders', url, events: ['message.created'], headers },
    ...(idempotencyKey && { headers: { 'Idempotency-Key': idempotencyKey } }),
  });
}

const patch = (id: number, body: object) => caller.patch(`/api/v1/webhooks/${id}`, body);

async function storedOf(webhook: { id: number }) {
  const rows = await ctx.db.query.webhookHeaders.findMany();
  const row = rows.find(({ webhookId }) => webhookId === webhook.id);
  return row && openHeaders(ctx, row);
}

describe('static headers', () => {
  test('are stored sealed, and no response, audit entry, stored response or log repeats a value', async () => {
    const headers = { Authorization: value, 'X-Shop': 'north' };
    const created = await create(headers, 'once');
    const responses = [created, await create(headers, 'once')];
    const webhook = dataOf(created);
    expect(responses[1]?.text).toBe(created.text);
    expect(webhook['header_names']).toEqual(['Authorization', 'X-Shop']);
    responses.push(
      await patch(webhook.id, { headers: { Authorization: `${value}-2`, 'X-Shop': null } }),
      await caller.get(`/api/v1/webhooks/${webhook.id}`),
      await caller.get('/api/v1/webhooks?include=state'),
    );
    expect(await storedOf(webhook)).toEqual({ Authorization: `${value}-2`, 'X-Shop': 'north' });
    const stored = [
      await ctx.db.select().from(auditEntries).where(eq(auditEntries.accountId, account.id)),
      await ctx.db.select().from(idempotentResponses),
      (await ctx.db.query.webhookHeaders.findMany()).map(({ sealed }) => sealed.toString('latin1')),
      ctx.logged,
      responses.map(({ text }) => text),
    ];
    expect(JSON.stringify(stored)).not.toContain('s3cr3t');
    expect(JSON.stringify(stored[0])).toContain('"given_headers":["Authorization"]');
  });

  test.each([
    'Host',
    'Content-Type',
    'content-length',
    'Transfer-Encoding',
    'Connection',
    'Expect',
    'Cookie',
    'User-Agent',
    'webhook-id',
    'Webhook-Replay',
    'X Shop',
    'X-Shop\r\nHost',
    '',
  ])('may not be called %j', async (name) => {
    const [[field, [message]] = ['', ['']]] = Object.entries(
      detailsOf(await create({ [name]: 'x' })),
    );
    expect(field).toMatch(/^headers/);
    expect(message).toMatch(/^(?:The service sets this header|Use a header name)/);
  });

  test.each([
    ['a line break', 'a\r\nX-Other: b'],
    ['a line feed', 'a\nb'],
    ['a space at the end', 'a '],
    ['a character beyond ASCII', 'Grüße'],
    ['nothing', ''],
    ['2049 characters', 'x'.repeat(2049)],
    ['a number', 7],
  ])('may not have a value with %s', async (_, given) => {
    expect(Object.keys(detailsOf(await create({ 'X-Shop': given })))[0]).toMatch(/^headers/);
  });

  test('are at most 10, each name once whatever its case', async () => {
    const many = Object.fromEntries(Array.from({ length: 11 }, (_, n) => [`X-${n}`, 'x']));
    for (const headers of [many, { 'X-Shop': 'a', 'x-shop': 'b' }]) {
      expect(refusedFields(await create(headers))).toEqual(['headers']);
    }
  });

  test('can be replaced, kept and removed, and a value that is not stored cannot be kept', async () => {
    const webhook = dataOf(await create({ 'X-Shop': 'north', 'X-Key': 'k' }));
    expect(refusedFields(await patch(webhook.id, { headers: { 'X-New': null } }))).toEqual([
      'headers',
    ]);
    await patch(webhook.id, { headers: { 'x-shop': null } });
    expect(await storedOf(webhook)).toEqual({ 'x-shop': 'north' });
    await patch(webhook.id, { name: 'Other', url: `${url}/elsewhere` });
    expect(await storedOf(webhook)).toEqual({ 'x-shop': 'north' });
    await patch(webhook.id, { headers: {} });
    expect(await storedOf(webhook)).toBeUndefined();
  });

  test.each([
    ['scheme', 'http://orders.example.com/hooks'],
    ['host', 'https://example.com/hooks'],
    ['port', 'https://orders.example.com:8443/hooks'],
  ])('are never sent to another %s: each value is given again, or dropped', async (_, moved) => {
    const webhook = dataOf(await create({ 'X-Shop': 'north', 'X-Key': 'k' }));
    for (const headers of [undefined, { 'X-Shop': null }, { 'X-Shop': 'a', 'X-Key': null }]) {
      const response = await patch(webhook.id, { url: moved, ...(headers && { headers }) });
      expect(detailsOf(response)).toEqual({
        headers: [expect.stringContaining('another scheme, host or port')],
      });
    }
    expect((await patch(webhook.id, { url: moved, headers: { 'X-Shop': 'south' } })).status).toBe(
      200,
    );
    expect(await storedOf(webhook)).toEqual({ 'X-Shop': 'south' });
    expect((await patch(webhook.id, { url, headers: {} })).status).toBe(200);
    expect(await storedOf(webhook)).toBeUndefined();
  });
});
