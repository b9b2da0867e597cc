import { expect, test } from 'vitest';
import { z } from 'zod';
import { itemsOf } from '../../../testing/api.ts';
import { useApi } from '../../../testing/use-api.ts';

const { api } = useApi();

type JsonSchema = Parameters<typeof z.fromJSONSchema>[0];
type EventType = { type: string; description: string; schema: JsonSchema; sample: object };

test('the catalog names every type with its schema and a sample that the schema accepts', async () => {
  const { token } = await (await api.account()).key({ scopes: ['webhooks:read'] });
  const response = await api.call('GET', '/api/v1/event-types', { token });
  expect(response.status).toBe(200);
  const types = itemsOf<EventType>(response);
  expect(types.map(({ type }) => type)).toEqual(
    expect.arrayContaining(['message.created', 'conversation.created', 'conversation.closed']),
  );
  for (const { type, description, schema, sample } of types) {
    expect(description).toMatch(/\.$/);
    expect(sample).toMatchObject({ type, timestamp: expect.any(String), data: {} });
    expect(z.fromJSONSchema(schema).safeParse(sample).success).toBe(true);
    expect(z.fromJSONSchema(schema).safeParse({ ...sample, data: {} }).success).toBe(false);
  }
});

test('the catalog needs webhooks:read', async () => {
  const { token } = await (await api.account()).key({ type: 'bot' });
  expect((await api.call('GET', '/api/v1/event-types', { token })).status).toBe(403);
  expect((await api.call('GET', '/api/v1/event-types')).status).toBe(401);
});
