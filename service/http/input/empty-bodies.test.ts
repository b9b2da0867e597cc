import { describe, expect, test } from 'vitest';
import { useApi } from '../../testing/use-api.ts';

const { account, caller } = useApi();

/** Bodies without content, each with a content type. */
const emptyBodies: [body: string, type: string][] = [
  // As PHP writes an empty array, and as axios sends nothing.
  ['[]', 'application/json'],
  ['null', 'application/json'],
  ['[]', 'application/x-www-form-urlencoded'],
  ['null', ''],
  [' ', 'application/json'],
  ['\r\n\t ', 'text/plain'],
  ['{}', 'application/x-www-form-urlencoded'],
  ['\n[ ]\n', 'application/json'],
  [' {\n} ', 'text/plain'],
  ['', 'application/x-www-form-urlencoded'],
];

test.each(emptyBodies)(
  'the body %j of the type %j counts as none, where a body is optional and where none is read',
  async (body, type) => {
    const { id } = await account.key();
    const headers = { 'Content-Type': type };
    const rotated = await caller.post(`/api/v1/api-keys/${id}/rotate`, body, headers);
    expect(rotated.status).toBe(201);
    const webhook = await account.webhook();
    const path = `/api/v1/webhooks/${webhook.id}`;
    expect((await caller.delete(path, body, headers)).status).toBe(204);
  },
);

describe('an operation with an optional body refuses', () => {
  test.each([
    ['an array with something in it', '[1]'],
    ['an array that does not end', '['],
    ['two empty arrays', '[][]'],
    ['false', 'false'],
    ['an empty text', '""'],
  ])('%s', async (_what, body) => {
    const { id } = await account.key();
    expect((await caller.post(`/api/v1/api-keys/${id}/rotate`, body)).status).toBe(422);
  });
});

test('an operation that needs a body accepts none of these', async () => {
  for (const body of ['[]', 'null', '{}', ' ', '']) {
    expect((await caller.post('/api/v1/conversations', body)).status).toBe(422);
  }
});
