import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { accounts } from '../../db/schema/people/accounts.ts';
import { dataOf } from '../../testing/api.ts';
import { countLockWaits } from '../../testing/databases/count-lock-waits.ts';
import { useApi } from '../../testing/use-api.ts';
import { createConversation } from './conversations.ts';
import { closeConversationRow, lockConversation } from './store/conversations.ts';
import { groupLimits, MessageWrites } from './message-writes.ts';
import { insertMessages } from './store/insert-messages.ts';

const { ctx, api, account, caller } = useApi({ engine: 'postgresql' });

test('a message waits while its conversation is being closed, and is then refused; other messages do not wait', async () => {
  const open = async (subject: string): Promise<number> =>
    dataOf(await caller.post('/api/v1/conversations', { subject })).id;
  const write = async (id: number): Promise<number> => {
    const message = { author: 'agent', text: 'One more thing' };
    return (await caller.post(`/api/v1/conversations/${id}/messages`, message)).status;
  };
  const id = await open('About to close');
  const others = [await open('Goes on'), await open('Goes on as well')];

  const { writing } = await ctx.db.transaction(async (tx) => {
    const conversation = await lockConversation(tx, account.id, { kind: 'id', id });
    if (!conversation) throw new Error('the conversation was not found');
    const waiting = [id, id].map(write);
    expect(await Promise.all([...others, ...others].map(write))).toEqual([201, 201, 201, 201]);
    await expect.poll(() => countLockWaits(ctx), { timeout: 30_000 }).toBe(2);
    await closeConversationRow(tx, conversation, ctx.clock.now());
    return { writing: Promise.all(waiting) };
  });

  expect(await writing).toEqual([422, 422]);
  expect(await ctx.db.query.messages.findMany()).toHaveLength(4);
}, 60_000);

test('a message of a deleted account is not written, and the other messages of its statement are', async () => {
  const [deleted, other] = [await openConversation(), await openConversation()];
  await ctx.db
    .update(accounts)
    .set({ deletedAt: ctx.clock.now() })
    .where(eq(accounts.id, deleted.accountId));
  for (const waitsForLocks of [false, true]) {
    const messages = [deleted, other, deleted].map((about) => ({
      ...about,
      event: { uuid: randomUUID(), traceParent: null },
      author: 'agent' as const,
      text: 'One more thing',
      metadata: {},
      apiKeyId: null,
      now: ctx.clock.now(),
    }));
    const { inserted } = await insertMessages(ctx.db, { messages, waitsForLocks });
    expect(inserted.map(({ kind }) => kind)).toEqual(['not found', 'inserted', 'not found']);
  }
});

test('messages that are written at the same time, by several processes and beside a closing, are numbered without gaps, in the order of their events', async () => {
  const conversation = dataOf(await caller.post('/api/v1/conversations', { subject: 'Busy' }));
  const other = new MessageWrites({
    db: ctx.db,
    laneNotifier: ctx.laneNotifier,
    limits: groupLimits.postgresql,
  });
  const message = () => ({
    accountId: account.id,
    conversation: { kind: 'id' as const, id: conversation.id },
    event: { uuid: randomUUID(), traceParent: null },
    author: 'bot' as const,
    text: 'Hello',
    metadata: {},
    apiKeyId: null,
    now: ctx.clock.now(),
  });
  const written = await Promise.all(
    Array.from({ length: 300 }, (_, number) =>
      (number % 2 === 0 ? other : ctx.messageWrites).write(message()),
    ),
  );
  expect(new Set(written.map(({ kind }) => kind))).toEqual(new Set(['inserted']));
  await caller.post(`/api/v1/conversations/${conversation.id}/close`);

  const rows = await ctx.db.query.messages.findMany({
    where: ({ conversationId }) => eq(conversationId, conversation.id),
    orderBy: ({ sequence }) => sequence,
  });
  expect(rows.map(({ sequence }) => sequence)).toEqual(rows.map((_, index) => index + 2));
  const numbered = (await ctx.db.query.events.findMany())
    .filter(({ conversationId }) => conversationId === conversation.id)
    .map(({ type, payload }) => ({ type, ...(JSON.parse(payload) as EventBody).data }))
    .toSorted((a, b) => a.sequence - b.sequence);
  expect(numbered.map(({ sequence }) => sequence)).toEqual(numbered.map((_, index) => index + 1));
  expect(numbered.map(({ type }) => type)).toEqual([
    'conversation.created',
    ...rows.map(() => 'message.created'),
    'conversation.closed',
  ]);
  expect(numbered.slice(1, -1).map((event) => event.message?.id)).toEqual(rows.map(({ id }) => id));
}, 60_000);

type EventBody = { data: { sequence: number; message?: { id: number } } };

async function openConversation() {
  const owner = await (await api.account()).member('owner');
  const input = { subject: 'Order', idempotencyKey: null };
  const { id } = await createConversation(ctx, owner, input);
  return { accountId: owner.accountId, conversation: { kind: 'id' as const, id } };
}
