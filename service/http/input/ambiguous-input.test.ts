import { expect, test } from 'vitest';
import { detailsOf } from '../../testing/api.ts';
import { useApi } from '../../testing/use-api.ts';

const { api, caller } = useApi();

test.each(['__proto__', 'constructor', 'prototype'])(
  'a body with %s is refused, and changes no prototype',
  async (name) => {
    const body = `{"name":"Key","type":"bot","${name}":{"type":"full","isPolluted":true}}`;
    const response = await caller.post('/api/v1/api-keys', body);
    expect(response.status).toBe(422);
    expect(detailsOf(response)).toEqual({ [name]: [expect.any(String)] });
    expect(Object.hasOwn(Object.prototype, 'isPolluted')).toBe(false);
    expect('isPolluted' in {}).toBe(false);
  },
);

test('if a query parameter is given twice, the first one counts', async () => {
  const response = await caller.get('/api/v1/audit-log?limit=1&limit=0');
  expect(response.status).toBe(200);
  const refused = await caller.get('/api/v1/audit-log?limit=0&limit=1');
  expect(refused.status).toBe(422);
});

test('a query parameter does not count as a field of the body', async () => {
  const path = '/api/v1/api-keys?type=full&name=From+the+query';
  const response = await caller.post(path, { name: 'Key', type: 'bot' });
  expect(response.status).toBe(201);
  expect(response.body).toMatchObject({ data: { name: 'Key', type: 'bot' } });
});

test.each(['', ' 1', '+1', '0x10', '1e1', '10.0', '٣'])(
  'a limit of “%s” is refused, as is every number that is not written in decimal digits',
  async (text) => {
    const path = `/api/v1/audit-log?limit=${encodeURIComponent(text)}`;
    const response = await caller.get(path);
    expect(response.status).toBe(422);
    expect(detailsOf(response)).toEqual({ limit: ['Use a whole number from 1 to 100.'] });
  },
);

test('an empty parameter is refused, and not read as 0', async () => {
  const account = await api.account();
  const { id } = await account.webhook();
  const key = await account.key();
  const path = `/api/v1/webhooks/${id}/deliveries?limit=&status_code=`;
  const response = await key.get(path);
  expect(response.status).toBe(422);
  expect(detailsOf(response)).toEqual({
    limit: ['Use a whole number from 1 to 100.'],
    status_code: ['Use a status from 300 to 599.'],
  });
});
