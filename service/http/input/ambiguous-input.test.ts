import { afterAll, beforeAll, expect, test } from 'vitest';
import { TestApi, detailsOf } from '../../testing/api.ts';
import { createTestContext } from '../../testing/context.ts';
import type { TestContext } from '../../testing/context.ts';

let ctx: TestContext;
let api: TestApi;
let token: string;

beforeAll(async () => {
  ctx = await createTestContext();
  api = new TestApi(ctx);
  ({ token } = await (await api.account()).key());
});
afterAll(() => ctx.dispose());

test.each(['__proto__', 'constructor', 'prototype'])(
  'a body with %s is refused, and changes no prototype',
  async (name) => {
    const body = `{"name":"Key","type":"bot","${name}":{"type":"full","isPolluted":true}}`;
    const response = await api.call('POST', '/api/v1/api-keys', { token, body });
    expect(response.status).toBe(422);
    expect(detailsOf(response)).toEqual({ [name]: [expect.any(String)] });
    expect(Object.hasOwn(Object.prototype, 'isPolluted')).toBe(false);
    expect('isPolluted' in {}).toBe(false);
  },
);

test('if a query parameter is given twice, the first one counts', async () => {
  const response = await api.call('GET', '/api/v1/audit-log?limit=1&limit=0', { token });
  expect(response.status).toBe(200);
  const refused = await api.call('GET', '/api/v1/audit-log?limit=0&limit=1', { token });
  expect(refused.status).toBe(422);
});

test('a query parameter does not count as a field of the body', async () => {
  const path = '/api/v1/api-keys?type=full&name=From+the+query';
  const response = await api.call('POST', path, { token, body: { name: 'Key', type: 'bot' } });
  expect(response.status).toBe(201);
  expect(response.body).toMatchObject({ data: { name: 'Key', type: 'bot' } });
});

test.each(['', ' 1', '+1', '0x10', '1e1', '10.0', '٣'])(
  'a limit of “%s” is refused, as is every number that is not written in decimal digits',
  async (text) => {
    const path = `/api/v1/audit-log?limit=${encodeURIComponent(text)}`;
    const response = await api.call('GET', path, { token });
    expect(response.status).toBe(422);
    expect(detailsOf(response)).toEqual({ limit: ['Use a whole number from 1 to 100.'] });
  },
);

test('an empty parameter is refused, and not read as 0', async () => {
  const account = await api.account();
  const { id } = await account.webhook();
  const key = await account.key();
  const path = `/api/v1/webhooks/${id}/deliveries?after=&status_code=`;
  const response = await api.call('GET', path, { token: key.token });
  expect(response.status).toBe(422);
  expect(detailsOf(response)).toEqual({
    after: ['Use the id of a delivery.'],
    status_code: ['Use a status from 300 to 599.'],
  });
});
