import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import type { IncidentWithKeys } from '#lib/contract/api-keys/incidents/incident.ts';
import { minuteMs } from '#lib/durations.ts';
import type { Db } from '../../../../db/open.ts';
import { apiKeys } from '../../../../db/schema/api-keys/api-keys.ts';
import { members } from '../../../../db/schema/people/members.ts';
import { advanceIncidents } from '../../../../domain/api-keys/incident/advance-incidents.ts';
import { inputFor, useIncidents } from '../../../../testing/api-keys/incidents.ts';
import { dataOf } from '../../../../testing/api.ts';
import type { TestKey } from '../../../../testing/api.ts';
import { beforeTransactions } from '../../../../testing/databases/failing-transactions.ts';
import { auditEntriesOf } from '../../../../testing/records/audit-log.ts';

const { ctx, incidents, account, owner, admin } = useIncidents();

describe('a key that cannot be changed', () => {
  test('because it ended before its turn is skipped with the reason, and the run continues', async () => {
    await account.key({ name: 'Expired', expiresAt: ctx.clock.apiTime(minuteMs) });
    const revoked = await account.key({ name: 'Revoked' });
    await account.key({ name: 'Changed' });
    const started = await incidents.start(owner, { act: 'rotate' });
    await owner.delete(`/api/v1/api-keys/${revoked.id}`);
    ctx.clock.advance(minuteMs);
    await advanceIncidents(ctx);
    const result = 'skipped';
    expect(await incidents.get(started)).toMatchObject({
      state: 'done',
      keys: [
        { name: 'Changed', result: 'done', problem: null },
        { name: 'Revoked', result, problem: 'This key was revoked before its turn.' },
        { name: 'Expired', result, problem: 'This key had expired before its turn.' },
      ],
    });
  });

  test('because of its state fails with the reason, and can be tried again in an incident of its own', async () => {
    const full = await account.key({ name: 'Full of tokens' });
    let { token } = full;
    for (let made = 0; made < 19; made += 1) {
      await incidents.use({ token });
      token = await incidents.rotate(full);
    }
    expect(await incidents.use({ token })).toBe(200);
    await account.key({ name: 'Changed' });
    const grace = { act: 'rotate', grace_period_seconds: 3600 } as const;
    expect((await incidents.preview(grace)).totals).toMatchObject({ keys: 1, skipped: 1 });
    const started = await incidents.start(owner, grace);
    await advanceIncidents(ctx);
    expect((await incidents.get(started)).keys).toMatchObject([
      { name: 'Changed', result: 'done' },
      {
        name: 'Full of tokens',
        result: 'failed',
        problem: expect.stringMatching(/^This key has 20 valid tokens, the maximum/),
      },
    ]);
    expect(await incidents.use({ token })).toBe(200);

    const again = inputFor([full.uuid], { act: 'rotate', grace_period_seconds: 0 });
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
    await advanceIncidents({ ...ctx, db: failingToRevoke(spared) });
    expect(await incidents.get(started)).toMatchObject({
      state: 'done',
      keys: [
        { name: 'Changed', result: 'done' },
        {
          name: 'Spared',
          result: 'failed',
          problem: 'Something went wrong, so this key was not changed.',
        },
      ],
    });
    expect(await incidents.use(spared)).toBe(200);
  });

  test('because the person who started the incident may no longer do it is skipped', async () => {
    const key = await account.key();
    const started = await incidents.start(admin, { act: 'revoke' });
    const membership = eq(members.personId, admin.personId);
    await ctx.db.update(members).set({ role: 'support' }).where(membership);
    await advanceIncidents(ctx);
    expect((await incidents.get(started)).keys).toMatchObject([
      { result: 'skipped', problem: 'Ida admin may no longer do this in the account.' },
    ]);
    expect(await incidents.use(key)).toBe(200);
  });
});

describe('an incident that is cancelled', () => {
  test('leaves the waiting keys as they are, and says, audits and emails once who cancelled it', async () => {
    const keys = [await account.key({ name: 'One' }), await account.key({ name: 'Two' })];
    const started = await incidents.start(owner, { act: 'revoke' });
    const before = ctx.mails.length;
    const cancelled = await cancel(started);
    expect(dataOf(cancelled)).toMatchObject({
      state: 'cancelled',
      cancelled_by: { name: 'Ida admin' },
      counts: { waiting: 0, cancelled: 2 },
    });
    await cancel(started);
    await advanceIncidents(ctx);
    for (const key of keys) expect(await incidents.use(key)).toBe(200);
    expect(await incidents.auditedOf('Laptop stolen')).toEqual([
      'incident.started',
      'incident.cancelled',
    ]);
    expect(ctx.mails.slice(before)).toMatchObject([
      { to: owner.email, subject: 'Incident: 0 of 2 API keys revoked' },
    ]);
    expect(ctx.mails.at(-1)?.text).toContain('"Ida admin" cancelled the rest.');
  });

  test('between two keys keeps the changes so far, and after its end changes nothing', async () => {
    const later = await account.key({ name: 'Later' });
    const first = await account.key({ name: 'First' });
    const started = await incidents.start(owner, { act: 'revoke' });
    const db = beforeTransactions(ctx.db, async () => {
      const { done } = (await incidents.get(started)).counts;
      if (done === 1) await cancel(started);
    });
    await advanceIncidents({ ...ctx, db });
    expect(await incidents.get(started)).toMatchObject({
      state: 'cancelled',
      keys: [
        { name: 'First', result: 'done' },
        { name: 'Later', result: 'cancelled' },
      ],
    });
    expect([await incidents.use(first), await incidents.use(later)]).toEqual([401, 200]);

    const next = await incidents.start(owner, { act: 'revoke' });
    await advanceIncidents(ctx);
    expect(dataOf(await cancel(next))).toMatchObject({ state: 'done', cancelled_by: null });
  });

  async function cancel({ uuid }: { uuid: string }) {
    return await admin.post(`/api/dashboard/incidents/${uuid}/cancel`);
  }
});

describe('an incident', () => {
  test.each([
    [
      'continues with the waiting keys after its process died',
      async (started: IncidentWithKeys) => {
        ctx.expectErrors(/^could not advance an incident$/);
        const db = beforeTransactions(ctx.db, (number) => {
          if (number > 1) throw new Error('the process was killed');
        });
        await advanceIncidents({ ...ctx, db });
        expect(await incidents.get(started)).toMatchObject({
          state: 'running',
          counts: { done: 1, waiting: 2 },
        });
        await advanceIncidents(ctx);
      },
    ],
    [
      'is carried out once by two processes that do it at the same time',
      async () => await Promise.all([advanceIncidents(ctx), advanceIncidents(ctx)]),
    ],
  ])('%s, and changes no key twice', async (_what, advance) => {
    const keys = [await account.key(), await account.key(), await account.key()];
    const started = await incidents.start(owner, { act: 'rotate' });
    await advance(started);
    expect(await incidents.get(started)).toMatchObject({
      state: 'done',
      counts: { done: 3, waiting: 0 },
    });
    const entries = await auditEntriesOf(ctx, account.id);
    const rotated = entries.filter(({ action }) => action === 'api_key.rotated');
    expect(rotated.map(({ target }) => target.id).toSorted()).toEqual(
      keys.map(({ uuid }) => uuid).toSorted(),
    );
  });
});

/** The database, in which the transaction that revokes this key fails once. */
function failingToRevoke({ id }: TestKey): Db {
  let hasFailed = false;
  const transaction: Db['transaction'] = async (work, ...config) =>
    await ctx.db.transaction(
      async (tx) => {
        const result = await work(tx);
        const [row] = await tx.select().from(apiKeys).where(eq(apiKeys.id, id));
        if (row?.revokedAt && !hasFailed) {
          hasFailed = true;
          throw new Error('a fault');
        }
        return result;
      },
      ...config,
    );
  return Object.assign(Object.create(ctx.db) as Db, { transaction });
}
