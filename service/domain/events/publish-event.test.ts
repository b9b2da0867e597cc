import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventKinds, testEventKind } from '#lib/contract/event-kinds.ts';
import { eventPayloads } from '#lib/contract/events.ts';
import { TestApi } from '../../testing/api.ts';
import { createTestContext } from '../../testing/context.ts';
import type { TestContext } from '../../testing/context.ts';

let ctx: TestContext;
beforeAll(async () => {
  ctx = await createTestContext();
});
afterAll(() => ctx.dispose());

test('what is written for an event is exactly what its kind describes', async () => {
  const api = new TestApi(ctx);
  const { token } = await (await api.account()).key();
  const post = async (path: string, body?: unknown) =>
    await api.call('POST', `/api/v1/conversations${path}`, { token, body });
  const opened = await post('', { subject: 'Where is order 1042?' });
  const { id } = (opened.body as { data: { id: number } }).data;
  await post(`/${id}/messages`, { author: 'contact', text: 'It was due on Monday.' });
  await post(`/${id}/close`);

  const written = await ctx.db.query.events.findMany();
  expect(written.map(({ type }) => type).toSorted()).toEqual(eventKinds.toSorted());
  for (const { type, payload } of written) {
    if (type === testEventKind) throw new Error('nothing was tested here');
    const described = eventPayloads.get(type);
    expect(described?.parse(JSON.parse(payload))).toEqual(JSON.parse(payload));
  }
});
