import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TestApi, dataOf } from '../../../testing/api.ts';
import { createTestContext } from '../../../testing/context.ts';
import type { TestContext } from '../../../testing/context.ts';
import { closeConversationRow, lockConversation } from './conversations.ts';

let ctx: TestContext;
beforeAll(async () => {
  ctx = await createTestContext({ engine: 'postgresql' });
});
afterAll(() => ctx.dispose());

test('a message waits for its conversation while that is being closed, and is then refused', async () => {
  const api = new TestApi(ctx);
  const account = await api.account();
  const { token } = await account.key();
  const body = { subject: 'About to close' };
  const { id } = dataOf(await api.call('POST', '/api/v1/conversations', { token, body }));

  const { writing } = await ctx.db.transaction(async (tx) => {
    const conversation = await lockConversation(tx, account.id, { kind: 'id', id });
    if (!conversation) throw new Error('the conversation was not found');
    const message = { author: 'agent', text: 'One more thing' };
    const path = `/api/v1/conversations/${String(id)}/messages`;
    const answer = api.call('POST', path, { token, body: message });
    await expect.poll(sessionsThatWait, { timeout: 30_000 }).toBe(1);
    await closeConversationRow(tx, conversation, ctx.clock.now());
    return { writing: answer };
  });

  expect((await writing).status).toBe(422);
  expect(await ctx.db.query.messages.findMany()).toEqual([]);
  const events = await ctx.db.query.events.findMany();
  expect(events.map(({ type }) => type)).toEqual(['conversation.created']);
}, 60_000);

async function sessionsThatWait(): Promise<number | undefined> {
  const { rows } = await ctx.db.execute<{ waiting: number }>(sql`
    select count(*)::int as waiting from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`);
  return rows[0]?.waiting;
}
