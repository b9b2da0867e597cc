import { eq, sql } from 'drizzle-orm';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { deliveries } from '../../../db/schema/webhooks/deliveries.ts';
import { events } from '../../../db/schema/webhooks/events.ts';
import { advanceReplays, startReplays } from '../../../domain/replays/advance-replays.ts';
import { dataOf } from '../../../testing/api.ts';
import type { TestContext } from '../../../testing/context.ts';
import { useWebhook } from '../../../testing/http/test-webhook.ts';
import { addDelivery, addEvent } from '../../../testing/records/deliveries.ts';
import { useApi } from '../../../testing/use-api.ts';

const { ctx, api, account, caller } = useApi({ accountFor: 'test' });
const webhook = useWebhook(
  { account, caller },
  { events: ['message.created', 'conversation.closed'] },
);
afterEach(() => void vi.useRealTimers());

describe('a long replay', () => {
  test('queues nothing while a thousand deliveries of its webhook are due', async () => {
    await manyEvents(2100);
    ctx.clock.advance(1000);
    const { uuid } = dataOf(
      await webhook.replay({ since: ctx.clock.apiTime(-1000), status: 'all' }),
    );
    const done = async () => {
      await advanceReplays(ctx);
      return dataOf(await webhook.getReplay(uuid))['done'];
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
  }, 60_000);

  test('continues where it was after a crash, with nothing twice and nothing left out', async () => {
    await manyEvents(2100);
    ctx.clock.advance(1000);
    const { uuid } = dataOf(
      await webhook.replay({ since: ctx.clock.apiTime(-1000), status: 'all' }),
    );
    expect(await advanceReplays(ctx)).toBe(true);
    expect(dataOf(await webhook.getReplay(uuid))).toMatchObject({
      state: 'running',
      total: 2100,
      done: 1000,
    });

    await webhook.deliverPending();
    // A step that dies in its transaction leaves no trace; the next process starts from there.
    ctx.expectErrors(/^could not advance a replay$/);
    expect(await advanceReplays({ ...ctx, db: dying(ctx.db) })).toBe(false);
    expect(dataOf(await webhook.getReplay(uuid))).toMatchObject({ done: 1000 });

    const restarted = { ...ctx };
    expect(await advanceReplays(restarted)).toBe(true);
    await webhook.deliverPending();
    expect(await advanceReplays(restarted)).toBe(false);
    expect(dataOf(await webhook.getReplay(uuid))).toMatchObject({ state: 'done', done: 2100 });
    const rows = await webhook.deliveries();
    expect(rows).toHaveLength(2100);
    expect(rows.filter(({ status }) => status === 'delivered')).toHaveLength(2000);
    expect(rows.filter(({ status }) => status === 'pending')).toHaveLength(100);
    expect(await advanceReplays(restarted)).toBe(false);
  }, 60_000);

  test('does not keep another one waiting', async () => {
    await manyEvents(1500);
    const other = await api.account();
    const hook = await other.webhook();
    const key = await other.key();
    await addEvent(ctx, other.id);
    ctx.clock.advance(1000);
    const body = { since: ctx.clock.apiTime(-1000), status: 'all' };
    await webhook.replay(body);
    const path = `/api/v1/webhooks/${hook.id}/replays`;
    const short = dataOf(await key.post(path, body));
    await advanceReplays(ctx);
    expect(dataOf(await webhook.getReplay(short['uuid'], key))).toMatchObject({
      state: 'done',
    });
    await advanceReplays(ctx);
  });

  test('whose step fails keeps no other one waiting', async () => {
    const uuids = await replaysOfTwoWebhooks();
    ctx.expectErrors(/^could not advance a replay$/);
    let begun = 0;
    const transaction: typeof ctx.db.transaction = async (act) => {
      begun += 1;
      if (begun === 1) throw new Error('the statement took too long');
      return await ctx.db.transaction(act);
    };
    const db = Object.assign(Object.create(ctx.db) as typeof ctx.db, { transaction });
    await advanceReplays({ ...ctx, db });
    expect(await statesOf(uuids)).toEqual(['running', 'done']);
    await advanceReplays(ctx);
    expect(await statesOf(uuids)).toEqual(['done', 'done']);
  });

  test('is left after the step in progress when the worker is stopped', async () => {
    const uuids = await replaysOfTwoWebhooks();
    const stop = new AbortController();
    const transaction: typeof ctx.db.transaction = async (act) => {
      stop.abort();
      return await ctx.db.transaction(act);
    };
    const db = Object.assign(Object.create(ctx.db) as typeof ctx.db, { transaction });
    await advanceReplays({ ...ctx, db }, stop.signal);
    expect(await statesOf(uuids)).toEqual(['done', 'running']);
    await advanceReplays(ctx);
  });

  test('lets a younger one of the same webhook begin when it is done', async () => {
    await manyEvents(1500);
    ctx.clock.advance(1000);
    const first = dataOf(await webhook.replay({ since: ctx.clock.apiTime(-1000), status: 'all' }));
    ctx.clock.advance(1);
    const second = dataOf(
      await webhook.replay({ since: ctx.clock.apiTime(-1001), status: 'failed' }),
    );
    const doneOf = async () => {
      const shown = [
        await webhook.getReplay(first['uuid']),
        await webhook.getReplay(second['uuid']),
      ];
      return shown.map((response) => dataOf(response)['done']);
    };
    await advanceReplays(ctx);
    await webhook.deliverPending();
    await advanceReplays(ctx);
    expect(await doneOf()).toEqual([1500, 0]);
    await ctx.db
      .update(deliveries)
      .set({ status: 'failed', dueAt: null })
      .where(eq(deliveries.webhookId, webhook.id));
    await advanceReplays(ctx);
    expect(await doneOf()).toEqual([1500, 1000]);
    await webhook.deliverPending();
    await advanceReplays(ctx);
  }, 60_000);

  test('waits while its webhook is paused, and goes on when it is resumed', async () => {
    await manyEvents(1500);
    ctx.clock.advance(1000);
    const { uuid } = dataOf(
      await webhook.replay({ since: ctx.clock.apiTime(-1000), status: 'all' }),
    );
    await advanceReplays(ctx);
    await webhook.patch({ is_active: false });
    expect(await advanceReplays(ctx)).toBe(false);
    expect(dataOf(await webhook.getReplay(uuid))).toMatchObject({ state: 'running', done: 1000 });
    await webhook.patch({ is_active: true });
    await webhook.deliverPending();
    await advanceReplays(ctx);
    expect(dataOf(await webhook.getReplay(uuid))).toMatchObject({ state: 'done', done: 1500 });
  });

  test('stops when it is cancelled, and what it queued is cancelled unless it was sent', async () => {
    await manyEvents(1500);
    ctx.clock.advance(1000);
    const fresh = await addDelivery(ctx, await addEvent(ctx, account.id), {
      webhookId: webhook.id,
    });
    const { uuid } = dataOf(
      await webhook.replay({ since: ctx.clock.apiTime(-1000), status: 'all' }),
    );
    await advanceReplays(ctx);
    const sent = (await webhook.deliveries()).find(({ id }) => id !== fresh.id);
    if (!sent) throw new Error('nothing was queued');
    await ctx.db
      .update(deliveries)
      .set({ status: 'delivered', dueAt: null })
      .where(eq(deliveries.id, sent.id));

    const response = await webhook.cancelReplay(uuid);
    expect(response.status).toBe(200);
    expect(dataOf(response)).toMatchObject({ state: 'cancelled', done: 1000 });
    expect(await advanceReplays(ctx)).toBe(false);
    const rows = await webhook.deliveries();
    expect(rows.filter(({ status }) => status === 'cancelled')).toHaveLength(999);
    expect(rows.find(({ id }) => id === fresh.id)).toEqual(fresh);
    expect(rows.find(({ id }) => id === sent.id)?.status).toBe('delivered');
  });

  test('with more deliveries than one batch cancels is cancelled completely', async () => {
    await manyEvents(1);
    ctx.clock.advance(1000);
    const { uuid } = dataOf(
      await webhook.replay({ since: ctx.clock.apiTime(-1000), status: 'all' }),
    );
    await advanceReplays(ctx);
    await ctx.db.execute(sql`
      insert into deliveries
        (account_id, webhook_id, event_id, event_type, status, due_at, created_at, replay_uuid)
      select account_id, webhook_id, -n, event_type, status, due_at, created_at, replay_uuid
      from deliveries cross join generate_series(1, 5000) n where replay_uuid = ${String(uuid)}`);
    const waiting = async () =>
      (await webhook.deliveries()).filter(({ status }) => status === 'pending').length;
    expect(dataOf(await webhook.cancelReplay(uuid))).toMatchObject({ state: 'cancelled' });
    expect(await waiting()).toBe(1);
    await advanceReplays(ctx);
    expect(await waiting()).toBe(0);
    expect(await advanceReplays(ctx)).toBe(false);
  }, 60_000);

  test('is cancelled with its webhook', async () => {
    await manyEvents(1);
    ctx.clock.advance(1000);
    const { uuid } = dataOf(
      await webhook.replay({ since: ctx.clock.apiTime(-1000), status: 'all' }),
    );
    await caller.delete(`/api/v1/webhooks/${webhook.id}`);
    const rows = await ctx.db.query.replays.findMany();
    expect(rows.find((row) => row.uuid === uuid)?.state).toBe('cancelled');
    expect(await advanceReplays(ctx)).toBe(false);
  });
});

test('a worker moves replays on each second until it is stopped', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  await manyEvents(2100);
  ctx.clock.advance(1000);
  const { uuid } = dataOf(await webhook.replay({ since: ctx.clock.apiTime(-1000), status: 'all' }));
  const worker = startReplays(ctx);
  const untilDone = expect.poll(
    async () => {
      vi.advanceTimersByTime(1000);
      await webhook.deliverPending();
      return dataOf(await webhook.getReplay(uuid));
    },
    { timeout: 30_000 },
  );
  await untilDone.toMatchObject({ state: 'done', done: 2100 });
  await worker.stop();
  expect(vi.getTimerCount()).toBe(0);
}, 60_000);

async function manyEvents(count: number): Promise<void> {
  const row = {
    accountId: account.id,
    type: 'message.created' as const,
    payload: '{}',
    createdAt: ctx.clock.now(),
  };
  const rows = Array.from({ length: count }, () => ({ ...row, uuid: crypto.randomUUID() }));
  await ctx.db.insert(events).values(rows);
}

/** Begins a replay of one event to each of two webhooks. @returns their UUIDs */
async function replaysOfTwoWebhooks(): Promise<unknown[]> {
  // Those that earlier tests left.
  await ctx.db.execute(sql`update replays set state = 'done' where state = 'running'`);
  await addEvent(ctx, account.id);
  ctx.clock.advance(1000);
  const other = await account.webhook();
  const begun = [webhook, other].map(async ({ id }) => {
    const body = { since: ctx.clock.apiTime(-1000), status: 'all' };
    return await caller.post(`/api/v1/webhooks/${id}/replays`, body);
  });
  return (await Promise.all(begun)).map((response) => dataOf(response)['uuid']);
}

async function statesOf(uuids: readonly unknown[]): Promise<unknown[]> {
  return await Promise.all(
    uuids.map(async (uuid) => dataOf(await webhook.getReplay(uuid))['state']),
  );
}

/** A database in which every transaction does its work and dies before the commit. */
function dying(db: TestContext['db']): TestContext['db'] {
  const transaction: typeof db.transaction = async (act) =>
    await db.transaction(async (tx) => {
      await act(tx);
      throw new Error('the process is gone');
    });
  return Object.assign(Object.create(db) as typeof db, { transaction });
}
