import { sql } from 'drizzle-orm';
import { expect, test, vi } from 'vitest';
import { dayMs } from '#lib/durations.ts';
import { startHousekeeping } from './housekeeping.ts';
import type { Db } from '../db/open.ts';
import { regenerateSecret } from '../domain/webhooks/secret/regenerate-secret.ts';
import { TestApi } from '../testing/api.ts';
import { History } from '../testing/records/history.ts';
import { addAccount } from '../testing/records/people.ts';
import { useContext } from '../testing/use-api.ts';

const ctx = useContext();

/** Longer than a busy machine needs. */
const patience = { timeout: 10_000 };
const events = async () => (await ctx.db.query.events.findMany()).length;
const countResponses = async () => (await ctx.db.query.idempotentResponses.findMany()).length;

test('old events are removed in every round until housekeeping stops', async () => {
  const history = new History(ctx, await addAccount(ctx));
  const housekeeping = startHousekeeping(ctx, { firstMs: 1, everyMs: 5, restMs: 1 });
  await history.addEvents({ daysOld: 31, count: 600 });
  await vi.waitFor(async () => expect(await events()).toBe(0), patience);
  await history.addEvents({ daysOld: 31 });
  await vi.waitFor(async () => expect(await events()).toBe(0), patience);
  await housekeeping.stop();

  await history.addEvents({ daysOld: 31 });
  expect(await events()).toBe(1);
});

test('a person who has not confirmed a token or signing secret for a day is told by email', async () => {
  const account = await new TestApi(ctx).account();
  const owner = await account.member('owner');
  const key = await account.key({ name: 'Lost' });
  const { id } = await account.webhook({ name: 'Lost' });
  await regenerateSecret(ctx, owner, { webhook: String(id) });
  ctx.clock.advance(dayMs);
  const housekeeping = startHousekeeping(ctx, { firstMs: 1, everyMs: 5, restMs: 1 });
  await vi.waitFor(() => {
    const told = ctx.mails.filter(({ to }) => to === owner.email).map(({ text }) => text);
    expect(told).toEqual([
      expect.stringContaining(`/settings/api-keys/${key.id}`),
      expect.stringContaining(`/settings/webhooks/${id}`),
    ]);
  }, patience);
  await housekeeping.stop();
});

test('stopping does not wait for the next round', async () => {
  const housekeeping = startHousekeeping(ctx);
  const began = performance.now();
  await housekeeping.stop();
  expect(performance.now() - began).toBeLessThan(1000);
});

test('a step that fails is logged, does not prevent the others, and runs again in the next round', async () => {
  ctx.expectErrors(/housekeeping failed/);
  const history = new History(ctx, await addAccount(ctx));
  await history.addResponses({ daysOld: 2, count: 1 });
  await history.addEvents({ daysOld: 31 });
  const allowed = await forbidRemoval(ctx.db, 'idempotent_answers');
  const housekeeping = startHousekeeping(ctx, { firstMs: 1, everyMs: 5, restMs: 1 });
  await vi.waitFor(async () => expect(await events()).toBe(0), patience);
  expect(await countResponses()).toBe(1);
  await allowed();
  await vi.waitFor(async () => expect(await countResponses()).toBe(0), patience);
  await housekeeping.stop();
});

/** Makes every removal from a table fail, until the returned function is called. */
async function forbidRemoval(db: Db, table: string): Promise<() => Promise<void>> {
  await db.execute(sql`
    create function refuse_removal() returns trigger language plpgsql as
    $$ begin raise exception 'no row is removed here'; end $$`);
  await db.execute(sql`
    create trigger refuse_removal before delete on ${sql.identifier(table)}
    execute function refuse_removal()`);
  return async () => {
    await db.execute(sql`drop function refuse_removal cascade`);
  };
}
