import { eq, sql } from 'drizzle-orm';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Db } from '../../../db/open.ts';
import { deliveries } from '../../../db/schema/webhooks/deliveries.ts';
import { events } from '../../../db/schema/webhooks/events.ts';
import { advanceReplays, startReplays } from '../../../domain/replays/advance-replays.ts';
import {
  beforeTransactions,
  failingFirst,
} from '../../../testing/databases/failing-transactions.ts';
import { TestWebhook, useWebhook } from '../../../testing/http/test-webhook.ts';
import { addEvent } from '../../../testing/records/deliveries.ts';
import { useApi } from '../../../testing/use-api.ts';

const { ctx, api, account, caller } = useApi({ accountFor: 'test' });
const webhook = useWebhook(
  { account, caller },
  { events: ['message.created', 'conversation.closed'] },
);
afterEach(() => void vi.useRealTimers());

describe('a long replay', { timeout: 60_000 }, () => {
  test('queues nothing while a thousand deliveries of its webhook are due', async () => {
    const uuid = await replayOf(2100);
    const done = async () => {
      await advanceReplays(ctx);
      return (await webhook.readReplay(uuid))['done'];
    };
    expect([await done(), await done()]).toEqual([1000, 1000]);
    // A retry in the future does not count.
    const [first] = await webhook.deliveries();
    await ctx.db
      .update(deliveries)
      .set({ dueAt: new Date(ctx.clock.now().getTime() + 1000) })
      .where(eq(deliveries.id, Number(first?.id)));
    expect(await done()).toBe(2000);
    ctx.clock.advance(1000);
    expect(await done()).toBe(2000);
    await webhook.deliverPending();
    expect(await done()).toBe(2100);
  });

  test('continues where it was after a crash, with nothing twice and nothing left out', async () => {
    const uuid = await replayOf(2100);
    expect(await advanceReplays(ctx)).toBe(true);
    const begun = { state: 'running', total: 2100, done: 1000 };
    expect(await webhook.readReplay(uuid)).toMatchObject(begun);
    await webhook.deliverPending();
    // A step that dies in its transaction leaves no trace; the next process starts from there.
    ctx.expectErrors(/^could not advance a replay$/);
    expect(await advanceReplays({ ...ctx, db: dying(ctx.db) })).toBe(false);
    expect(await webhook.readReplay(uuid)).toMatchObject(begun);

    expect(await advanceReplays(ctx)).toBe(true);
    await webhook.deliverPending();
    expect(await advanceReplays(ctx)).toBe(false);
    expect(await webhook.readReplay(uuid)).toMatchObject({ state: 'done', done: 2100 });
    const rows = await webhook.deliveries();
    expect(new Set(rows.map(({ eventId }) => eventId)).size).toBe(2100);
    expect(rows.filter(({ status }) => status === 'delivered')).toHaveLength(2000);
    expect(rows.filter(({ status }) => status === 'pending')).toHaveLength(100);
    expect(await advanceReplays(ctx)).toBe(false);
  });

  test('does not keep one of another webhook waiting', async () => {
    const other = await api.account();
    const theirs = new TestWebhook(await other.webhook(), {
      account: other,
      caller: await other.key(),
    });
    await addEvent(ctx, other.id);
    await replayOf(1500);
    const short = await theirs.beginReplay('all');
    await advanceReplays(ctx);
    expect(await theirs.readReplay(short)).toMatchObject({ state: 'done' });
    await advanceReplays(ctx);
  });

  test.each([
    [
      'whose step fails keeps no other one waiting',
      ['running', 'done'],
      async () => {
        ctx.expectErrors(/^could not advance a replay$/);
        await advanceReplays({ ...ctx, db: failingFirst(ctx.db, 1) });
      },
    ],
    [
      'is left after the step in progress when the worker is stopped',
      ['done', 'running'],
      async () => {
        const stop = new AbortController();
        const db = beforeTransactions(ctx.db, () => stop.abort());
        await advanceReplays({ ...ctx, db }, stop.signal);
      },
    ],
  ])('%s', async (_what, states, advance) => {
    // Those that earlier tests left.
    await ctx.db.execute(sql`update replays set state = 'done' where state = 'running'`);
    const other = new TestWebhook(await account.webhook(), { account, caller });
    const begun = [await replayOf(1), await other.beginReplay('all')];
    const read = async () =>
      await Promise.all(begun.map(async (uuid) => (await webhook.readReplay(uuid))['state']));
    await advance();
    expect(await read()).toEqual(states);
    await advanceReplays(ctx);
    expect(await read()).toEqual(['done', 'done']);
  });

  test('lets a younger one of the same webhook begin when it is done', async () => {
    const first = await replayOf(1500);
    ctx.clock.advance(1);
    const second = await webhook.beginReplay('failed', 0);
    const doneAfter = async () => {
      await advanceReplays(ctx);
      const shown = [await webhook.readReplay(first), await webhook.readReplay(second)];
      return shown.map(({ done }) => done);
    };
    await doneAfter();
    await webhook.deliverPending();
    expect(await doneAfter()).toEqual([1500, 0]);
    await ctx.db
      .update(deliveries)
      .set({ status: 'failed', dueAt: null })
      .where(eq(deliveries.webhookId, webhook.id));
    expect(await doneAfter()).toEqual([1500, 1000]);
    await webhook.deliverPending();
    await advanceReplays(ctx);
  });

  test('waits while its webhook is paused, and goes on when it is resumed', async () => {
    const uuid = await replayOf(1500);
    await advanceReplays(ctx);
    await webhook.patch({ is_active: false });
    expect(await advanceReplays(ctx)).toBe(false);
    expect(await webhook.readReplay(uuid)).toMatchObject({ state: 'running', done: 1000 });
    await webhook.patch({ is_active: true });
    await webhook.deliverPending();
    await advanceReplays(ctx);
    expect(await webhook.readReplay(uuid)).toMatchObject({ state: 'done', done: 1500 });
  });

  test('stops when it is cancelled, and what it queued is cancelled unless it was sent', async () => {
    const fresh = await webhook.deliver();
    const uuid = await replayOf(1500);
    await advanceReplays(ctx);
    const sent = (await webhook.deliveries()).find(({ id }) => id !== fresh.id);
    if (!sent) throw new Error('nothing was queued');
    await ctx.db
      .update(deliveries)
      .set({ status: 'delivered', dueAt: null })
      .where(eq(deliveries.id, sent.id));
    const response = await webhook.cancelReplay(uuid);
    expect(response.body).toMatchObject({ data: { state: 'cancelled', done: 1000 } });
    expect(await advanceReplays(ctx)).toBe(false);
    const rows = await webhook.deliveries();
    expect(rows.filter(({ status }) => status === 'cancelled')).toHaveLength(999);
    expect(rows.find(({ id }) => id === fresh.id)).toEqual(fresh);
    expect(rows.find(({ id }) => id === sent.id)?.status).toBe('delivered');
  });

  test('with more deliveries than one batch cancels is cancelled completely', async () => {
    const uuid = await replayOf(1);
    await advanceReplays(ctx);
    await ctx.db.execute(sql`
      insert into deliveries
        (account_id, webhook_id, event_id, event_type, status, due_at, created_at, replay_uuid)
      select account_id, webhook_id, -n, event_type, status, due_at, created_at, replay_uuid
      from deliveries cross join generate_series(1, 5000) n where replay_uuid = ${uuid}`);
    const waiting = async () =>
      (await webhook.deliveries()).filter(({ status }) => status === 'pending').length;
    expect((await webhook.cancelReplay(uuid)).status).toBe(200);
    expect(await waiting()).toBe(1);
    await advanceReplays(ctx);
    expect(await waiting()).toBe(0);
    expect(await advanceReplays(ctx)).toBe(false);
  });

  test('is cancelled with its webhook', async () => {
    await replayOf(1);
    await caller.delete(`/api/v1/webhooks/${webhook.id}`);
    expect(await webhook.replays()).toMatchObject([{ state: 'cancelled' }]);
    expect(await advanceReplays(ctx)).toBe(false);
  });

  test('is moved on by a worker each second until the worker is stopped', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const uuid = await replayOf(2100);
    const worker = startReplays(ctx);
    const untilDone = expect.poll(
      async () => {
        vi.advanceTimersByTime(1000);
        await webhook.deliverPending();
        return await webhook.readReplay(uuid);
      },
      { timeout: 30_000 },
    );
    await untilDone.toMatchObject({ state: 'done', done: 2100 });
    await worker.stop();
    expect(vi.getTimerCount()).toBe(0);
  });
});

/** Begins a replay of so many events, a second after they happened; returns its UUID. */
async function replayOf(count: number): Promise<string> {
  const row = {
    accountId: account.id,
    type: 'message.created' as const,
    payload: '{}',
    createdAt: ctx.clock.now(),
  };
  const rows = Array.from({ length: count }, () => ({ ...row, uuid: crypto.randomUUID() }));
  await ctx.db.insert(events).values(rows);
  ctx.clock.advance(1000);
  return await webhook.beginReplay('all');
}

/** A database in which every transaction does its work and dies before the commit. */
function dying(db: Db): Db {
  const transaction: Db['transaction'] = async (act) =>
    await db.transaction(async (tx) => {
      await act(tx);
      throw new Error('the process is gone');
    });
  return Object.assign(Object.create(db) as Db, { transaction });
}
