import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import type { IncidentWithKeys } from '#lib/contract/api-keys/incidents/incident.ts';
import { minuteMs } from '#lib/durations.ts';
import { apiKeys } from '../../../../db/schema/api-keys/api-keys.ts';
import { members } from '../../../../db/schema/people/members.ts';
import { advanceIncidents } from '../../../../domain/api-keys/incident/advance-incidents.ts';
import { useIncidents, inputFor } from '../../../../testing/api-keys/incidents.ts';
import { dataOf } from '../../../../testing/api.ts';
import type { TestKey } from '../../../../testing/api.ts';
import type { TestContext } from '../../../../testing/context.ts';
import { auditEntriesOf } from '../../../../testing/records/audit-log.ts';

const { ctx, incidents, account, owner, admin } = useIncidents();

describe('a key that cannot be changed', () => {
  test('because it ended before its turn is skipped with the reason, and the run continues', async () => {
    const soon = ctx.clock.apiTime(minuteMs);
    await account.key({ name: 'Expired', expiresAt: soon });
    const revoked = await account.key({ name: 'Revoked' });
    await account.key({ name: 'Changed' });
    const started = await incidents.start(owner, { act: 'rotate' });
    await owner.delete(`/api/v1/api-keys/${revoked.id}`);
    ctx.clock.advance(minuteMs);
    await advanceIncidents(ctx);
    expect(await incidents.get(started)).toMatchObject({
      state: 'done',
      keys: [
        { name: 'Changed', result: 'done', problem: null },
        {
          name: 'Revoked',
          result: 'skipped',
          problem: 'This key was revoked before its turn.',
        },
        {
          name: 'Expired',
          result: 'skipped',
          problem: 'This key had expired before its turn.',
        },
      ],
    });
  });

  test('because of its state fails with the reason, and the run continues', async () => {
    const token = await fillWithTokens(await account.key({ name: 'Full of tokens' }));
    await account.key({ name: 'Changed' });
    const grace = { act: 'rotate', grace_period_seconds: 3600 } as const;
    expect((await incidents.preview(grace)).totals).toMatchObject({ keys: 1, skipped: 1 });
    const started = await incidents.start(owner, grace);
    await advanceIncidents(ctx);
    const { keys } = await incidents.get(started);
    expect(keys).toMatchObject([
      { name: 'Changed', result: 'done' },
      { name: 'Full of tokens', result: 'failed' },
    ]);
    expect(keys[1]?.problem).toMatch(/^This key has 20 valid tokens, the most it can have/);
    expect(await incidents.use({ token })).toBe(200);
  });

  test('because of its state can be tried again in an incident of its own', async () => {
    const token = await fillWithTokens(await account.key({ name: 'Full of tokens' }));
    await account.key({ name: 'Changed' });
    const first = await incidents.start(owner, { act: 'rotate', grace_period_seconds: 3600 });
    await advanceIncidents(ctx);
    const failed = (await incidents.get(first)).keys.filter(({ result }) => result === 'failed');
    expect(failed).toHaveLength(1);
    const again = inputFor(
      failed.map(({ uuid }) => uuid),
      { act: 'rotate', grace_period_seconds: 0 },
    );
    const response = await admin.post('/api/dashboard/incidents', again);
    await advanceIncidents(ctx);
    expect(await incidents.get(dataOf<IncidentWithKeys>(response))).toMatchObject({
      created_by: { name: 'Ida admin' },
      counts: { done: 1 },
    });
    expect(await incidents.use({ token })).toBe(401);
  });

  test('because of an error is unchanged, says so, and the run continues', async () => {
    const spared = await account.key({ name: 'Spared' });
    await account.key({ name: 'Changed' });
    const started = await incidents.start(owner, { act: 'revoke' });
    ctx.expectErrors(/a key of an incident could not be changed/);
    await advanceIncidents({ ...ctx, db: failingFor(spared) });
    expect(await incidents.get(started)).toMatchObject({
      state: 'done',
      keys: [
        { name: 'Changed', result: 'done' },
        {
          name: 'Spared',
          result: 'failed',
          problem: 'Something went wrong, so this key is as it was.',
        },
      ],
    });
    expect(await incidents.use(spared)).toBe(200);
  });

  test('because the person who started the incident may no longer do it is skipped', async () => {
    const key = await account.key({ name: 'One' });
    const started = await incidents.start(admin, { act: 'revoke' });
    await ctx.db
      .update(members)
      .set({ role: 'support' })
      .where(eq(members.personId, admin.personId));
    await advanceIncidents(ctx);
    expect((await incidents.get(started)).keys).toMatchObject([
      { result: 'skipped', problem: 'Ida admin may no longer do this in the account.' },
    ]);
    expect(await incidents.use(key)).toBe(200);
  });
});

describe('a run that is cancelled', () => {
  test('leaves the waiting keys as they are, and says who cancelled it', async () => {
    const keys = [await account.key({ name: 'One' }), await account.key({ name: 'Two' })];
    const started = await incidents.start(owner, { act: 'revoke' });
    const cancelled = await admin.post(`/api/dashboard/incidents/${started.uuid}/cancel`);
    expect(cancelled.body).toMatchObject({
      data: {
        state: 'cancelled',
        cancelled_by: { name: 'Ida admin' },
        counts: { waiting: 0, cancelled: 2 },
      },
    });
    await advanceIncidents(ctx);
    for (const key of keys) expect(await incidents.use(key)).toBe(200);
    expect(await incidents.auditedOf('Laptop stolen')).toEqual([
      'incident.started',
      'incident.cancelled',
    ]);
  });

  test('between two keys keeps the changes so far', async () => {
    const later = await account.key({ name: 'Later' });
    const first = await account.key({ name: 'First' });
    const started = await incidents.start(owner, { act: 'revoke' });
    let revoked = 0;
    const keyCache = {
      ...ctx.keyCache,
      evict(id: number) {
        ctx.keyCache.evict(id);
        revoked += 1;
      },
    };
    const cancelling = stopAfter(() => revoked === 1, started);
    await advanceIncidents({ ...ctx, keyCache: keyCache as typeof ctx.keyCache, db: cancelling });
    expect(await incidents.get(started)).toMatchObject({
      state: 'cancelled',
      keys: [
        { name: 'First', result: 'done' },
        { name: 'Later', result: 'cancelled' },
      ],
    });
    expect(await incidents.use(first)).toBe(401);
    expect(await incidents.use(later)).toBe(200);
  });

  test('after its end changes nothing', async () => {
    await account.key({ name: 'One' });
    const started = await incidents.start(owner, { act: 'revoke' });
    await advanceIncidents(ctx);
    const response = await owner.post(`/api/dashboard/incidents/${started.uuid}/cancel`);
    expect(response.body).toMatchObject({ data: { state: 'done', cancelled_by: null } });
  });
});

describe('a run that is interrupted', () => {
  test('continues with the waiting keys, and changes none twice', async () => {
    const keys = [
      await account.key({ name: 'One' }),
      await account.key({ name: 'Two' }),
      await account.key({ name: 'Three' }),
    ];
    const started = await incidents.start(owner, { act: 'rotate' });
    ctx.expectErrors(/^could not advance an incident$/);
    await advanceIncidents({ ...ctx, db: crashingAfter(1, new Error('the process was killed')) });
    const interrupted = await incidents.get(started);
    expect(interrupted).toMatchObject({ state: 'running', counts: { done: 1, waiting: 2 } });
    await advanceIncidents(ctx);
    expect(await incidents.get(started)).toMatchObject({
      state: 'done',
      counts: { done: 3, waiting: 0 },
    });
    expect(await rotations(keys)).toEqual([1, 1, 1]);
  });

  test('is carried out once by two processes that do it at the same time', async () => {
    const keys = [
      await account.key({ name: 'One' }),
      await account.key({ name: 'Two' }),
      await account.key({ name: 'Three' }),
    ];
    const started = await incidents.start(owner, { act: 'rotate' });
    await Promise.all([advanceIncidents(ctx), advanceIncidents(ctx)]);
    expect((await incidents.get(started)).counts).toMatchObject({ done: 3 });
    expect(await rotations(keys)).toEqual([1, 1, 1]);
  });
});

/** Rotates a key until it has 20 valid tokens, all of them used; returns the newest. */
async function fillWithTokens(key: TestKey): Promise<string> {
  let { token } = key;
  for (let made = 0; made < 19; made += 1) {
    await incidents.use({ token });
    token = await incidents.rotate(key);
  }
  await incidents.use({ token });
  return token;
}

/** How often each key was rotated. */
async function rotations(keys: readonly TestKey[]): Promise<number[]> {
  const entries = await auditEntriesOf(ctx, account.id);
  return keys.map(
    ({ uuid }) =>
      entries.filter(({ action, target }) => action === 'api_key.rotated' && target.id === uuid)
        .length,
  );
}

type Transaction = TestContext['db']['transaction'];

/** The database, with `before` called before each transaction. */
function withTransactions(before: (count: number) => Promise<void>): TestContext['db'] {
  let count = 0;
  return new Proxy(ctx.db, {
    get(target, name) {
      if (name !== 'transaction') return Reflect.get(target, name) as unknown;
      const transaction: Transaction = async (...given) => {
        await before(count);
        count += 1;
        return await target.transaction(...given);
      };
      return transaction;
    },
  });
}

/** The database of a process that dies after this many transactions. */
function crashingAfter(transactions: number, crash: Error): TestContext['db'] {
  return withTransactions(async (count) => {
    if (count >= transactions) throw crash;
  });
}

/** Somebody cancels the incident as soon as `isTime`. */
function stopAfter(isTime: () => boolean, { uuid }: { uuid: string }): TestContext['db'] {
  let isCancelled = false;
  return withTransactions(async () => {
    if (!isTime() || isCancelled) return;
    isCancelled = true;
    await owner.post(`/api/dashboard/incidents/${uuid}/cancel`);
  });
}

/** The database, in which the transaction that locks this key fails. */
function failingFor({ id }: TestKey): TestContext['db'] {
  let isFound = false;
  return new Proxy(ctx.db, {
    get(target, name) {
      if (name !== 'transaction') return Reflect.get(target, name) as unknown;
      const transaction: Transaction = async (work, ...config) =>
        await target.transaction(
          async (tx) => {
            const result = await work(tx);
            const [row] = await tx.select().from(apiKeys).where(eq(apiKeys.id, id));
            if (row?.revokedAt && !isFound) {
              isFound = true;
              throw new Error('a fault');
            }
            return result;
          },
          ...config,
        );
      return transaction;
    },
  });
}
