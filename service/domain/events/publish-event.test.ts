import { expect, test } from 'vitest';
import {
  eventAccessOf,
  eventPayloads,
  eventTypes,
  testEventType,
} from '#lib/contract/events/events.ts';
import type { NewEvent } from '#lib/contract/events/events.ts';
import { dataOf } from '../../testing/api.ts';
import { useApi } from '../../testing/use-api.ts';
import { publishEvent } from './publish-event.ts';

const { ctx, account, caller } = useApi({ accountFor: 'test' });

test('the recorded payload of an event matches the description of its type exactly', async () => {
  const post = async (path: string, body?: unknown) =>
    await caller.post(`/api/v1/conversations${path}`, body);
  const opened = await post('', { subject: 'Where is order 1042?' });
  const { id } = dataOf(opened);
  await post(`/${id}/messages`, { author: 'contact', text: 'It was due on Monday.' });
  await post(`/${id}/close`);

  const written = await ctx.db.query.events.findMany();
  // Events that happen as time passes are in the tests of lifecycle events.
  const byVerbs = eventTypes.filter((type) => eventAccessOf(type) === null);
  expect(written.map(({ type }) => type).toSorted()).toEqual(byVerbs.toSorted());
  for (const { type, payload } of written) {
    if (type === testEventType) throw new Error('nothing was tested here');
    const described = eventPayloads.get(type);
    expect(described?.parse(JSON.parse(payload))).toEqual(JSON.parse(payload));
  }
});

test('an event that is not about a conversation is recorded and sent like any other', async () => {
  await account.webhook({ isActive: true, events: ['message.created'] });
  const event = { type: 'message.created', data: { plan: 'annual' } } as unknown as NewEvent;
  const options = { accountId: account.id, origin: null, now: ctx.clock.now(), event };
  const webhooks = await ctx.db.transaction(async (tx) => await publishEvent(ctx, tx, options));
  expect(webhooks).toHaveLength(1);
  const [written] = (await ctx.db.query.events.findMany()).filter(
    ({ accountId }) => accountId === account.id,
  );
  expect(written?.conversationId).toBeNull();
  expect(JSON.parse(written?.payload ?? '')).toMatchObject({ data: { plan: 'annual' } });
});
