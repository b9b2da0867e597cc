import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import type { IncidentPreview } from '#lib/contract/api-keys/incidents/incident-preview.ts';
import type { IncidentWithKeys } from '#lib/contract/api-keys/incidents/incident.ts';
import { tokenCalls } from '../../../db/schema/api-keys/api-key-tokens.ts';
import { auditEntries } from '../../../db/schema/audit.ts';
import { advanceIncidents } from '../../../domain/api-keys/incident/advance-incidents.ts';
import { CallLog } from '../../../domain/api-keys/calls/call-log.ts';
import { dataOf, TestApi } from '../../../testing/api.ts';
import type { ApiResponse, TestAccount } from '../../../testing/api.ts';
import { useApi } from '../../../testing/use-api.ts';

type Key = Awaited<ReturnType<TestAccount['key']>>;

/** Incidents on a server that runs transactions concurrently, with several processes. */
const config = { rateLimitPerMinute: 100_000 };
const { ctx, api, account, owner } = useApi({ accountFor: 'test', engine: 'postgresql', config });

test('of ten incidents started at the same time one is created, and four processes change each of its keys once', async () => {
  const keys = await makeKeys(20);
  const begun = await Promise.all(Array.from({ length: 10 }, () => begin(keys, 'rotate')));
  const [started, ...more] = begun.filter(({ status }) => status === 201);
  expect(more).toEqual([]);
  expect(begun.filter(({ status }) => status === 422)).toHaveLength(9);
  await Promise.all(Array.from({ length: 4 }, () => advanceIncidents(ctx)));
  await advanceIncidents(ctx);
  expect(await find(started)).toMatchObject({ state: 'done', counts: { done: 20, failed: 0 } });
  expect((await audited('api_key.rotated')).toSorted()).toEqual(
    keys.map(({ uuid }) => uuid).toSorted(),
  );
});

test('keys that are rotated, revoked and used in the meantime cause no deadlock', async () => {
  const keys = await makeKeys(20);
  const started = await begin(keys, 'revoke');
  const callsDuring = keys.flatMap(({ id, token }) => [
    api.call('POST', `/api/v1/api-keys/${id}/rotate`, { token, body: {} }),
    api.call('GET', '/api/v1/api-key', { token }),
  ]);
  await Promise.all([
    ...callsDuring,
    advanceIncidents(ctx),
    advanceIncidents(ctx),
    ctx.usage.flush(),
    ctx.calls.flush(),
  ]);
  await advanceIncidents(ctx);
  expect(await find(started)).toMatchObject({ state: 'done', counts: { done: 20, failed: 0 } });
  for (const { token } of keys) {
    expect((await api.call('GET', '/api/v1/api-key', { token })).status).toBe(401);
  }
});

test('a cancellation takes effect between two keys: each is either done or unchanged', async () => {
  const keys = await makeKeys(20);
  const started = await begin(keys, 'revoke');
  const path = `/api/dashboard/incidents/${uuidOf(started)}/cancel`;
  await Promise.all([advanceIncidents(ctx), owner.post(path)]);
  const { state, counts } = await find(started);
  expect(['done', 'cancelled']).toContain(state);
  expect(counts.done + counts.cancelled).toBe(20);
  expect(await audited('api_key.revoked')).toHaveLength(counts.done);
});

test('concurrent calls of several processes are all counted', async () => {
  const [key] = await makeKeys(1);
  const others = Array.from(
    { length: 5 },
    () => new CallLog({ db: ctx.db, clock: ctx.clock, log: ctx.log }),
  );
  const apis = others.map((calls) => new TestApi({ ...ctx, calls }));
  const call = async (on: TestApi) =>
    await on.call('GET', '/api/v1/api-key', { token: key?.token ?? '' });
  await Promise.all(apis.flatMap((on) => Array.from({ length: 20 }, () => call(on))));
  await Promise.all(others.map((calls) => calls.stop()));
  const rows = await ctx.db.select().from(tokenCalls).where(eq(tokenCalls.accountId, account.id));
  expect(rows.reduce((sum, { calls }) => sum + calls, 0)).toBe(100);
  const used = await owner.get('/api/dashboard/api-keys-used-from?address=203.0.113.0%2F24');
  expect(dataOf<string[]>(used)).toEqual([key?.uuid]);
  const asked = { act: 'revoke', keys: [key?.uuid] };
  const preview = await owner.post('/api/dashboard/incident-preview', asked);
  expect(dataOf<IncidentPreview>(preview).keys).toMatchObject([{ calls_per_hour: 100 }]);
});

async function makeKeys(count: number): Promise<Key[]> {
  return await Promise.all(Array.from({ length: count }, () => account.key()));
}

async function begin(keys: readonly Key[], act: 'rotate' | 'revoke'): Promise<ApiResponse> {
  const asked = { act, keys: keys.map(({ uuid }) => uuid) };
  const words = { reason: 'Laptop stolen', confirmation: `${act} ${keys.length} keys` };
  return await owner.post('/api/dashboard/incidents', { ...asked, ...words });
}

function uuidOf(started: ApiResponse | undefined): string {
  if (!started) throw new Error('no incident was begun');
  return dataOf<{ uuid: string }>(started).uuid;
}

async function find(started: ApiResponse | undefined): Promise<IncidentWithKeys> {
  const path = `/api/dashboard/incidents/${uuidOf(started)}`;
  return dataOf<IncidentWithKeys>(await owner.get(path));
}

/** The keys of the account that have audit entries with this action. */
async function audited(action: string): Promise<string[]> {
  const entries = await ctx.db
    .select()
    .from(auditEntries)
    .where(eq(auditEntries.accountId, account.id));
  return entries.filter((entry) => entry.action === action).map(({ target }) => target.id);
}
