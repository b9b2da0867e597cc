import { and, eq, sql } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import type { RotationRequest } from '#lib/contract/api-keys/rotation-requests.ts';
import { hourMs } from '#lib/durations.ts';
import { auditEntries } from '../../../../db/schema/audit.ts';
import { rotationRequests } from '../../../../db/schema/api-keys/rotation-requests.ts';
import { members } from '../../../../db/schema/people/members.ts';
import { expireRotationRequests } from '../../../../domain/rotation-requests/outcomes/store-end.ts';
import { mailOutcomes } from '../../../../domain/rotation-requests/outcomes/mail-outcomes.ts';
import { dataOf, detailsOf } from '../../../../testing/api.ts';
import type { TestAccount } from '../../../../testing/api.ts';
import { failingFirst } from '../../../../testing/databases/failing-transactions.ts';
import { useApi } from '../../../../testing/use-api.ts';

type Person = Awaited<ReturnType<TestAccount['member']>>;

const { ctx, account, owner, admin, support } = useApi({ accountFor: 'test' });
let key: Awaited<ReturnType<TestAccount['key']>>;

beforeEach(async () => {
  key = await account.key();
});

describe('a request that nobody can do any more is stored as expired with its reason, and audited', () => {
  test.each([
    ['when another one replaces it', () => ask(owner)],
    ['when the key is rotated', () => rotate()],
  ])('past its deadline, %s', async (_when, act) => {
    const { uuid, expires_at: deadline } = await ask(admin);
    ctx.clock.advance(72 * hourMs + 1000);
    await act();
    expect(await read(uuid)).toMatchObject({
      state: 'expired',
      closed_at: deadline,
      closed_because: null,
    });
    expect(await audited(uuid)).toEqual(['rotation_request.created', 'rotation_request.expired']);
  });

  test('because its member left, when another one replaces it', async () => {
    const { uuid } = await ask(admin);
    await ctx.db
      .delete(members)
      .where(and(eq(members.accountId, account.id), eq(members.personId, admin.personId)));
    await ask(owner);
    expect(await read(uuid)).toMatchObject({ state: 'expired', closed_because: 'member_left' });
    expect(await audited(uuid)).toEqual(['rotation_request.created', 'rotation_request.expired']);
  });
});

test('the key of a leak whose tokens have ended can no longer be revoked for it, even before that is stored', async () => {
  ctx.clock.advance(1);
  const { uuid } = await ask(admin, 'leaked');
  ctx.clock.advance(1);
  await rotate({ grace_period_seconds: 3600 });
  ctx.clock.advance(hourMs);
  const path = `/api/dashboard/rotation-requests/${uuid}/revoke`;
  expect(detailsOf(await support.post(path))).toEqual({
    rotation_request: ['The key was rotated after this request.'],
  });
});

test('a request whose end cannot be stored or emailed delays no other', async () => {
  // The requests of earlier tests end first.
  ctx.clock.advance(72 * hourMs);
  await expireRotationRequests(ctx);
  await mailOutcomes(ctx);
  await ask(admin);
  key = await account.key();
  await ask(admin);
  const rows = async () =>
    await ctx.db.select().from(rotationRequests).where(eq(rotationRequests.accountId, account.id));
  const expired = async () => (await rows()).filter(({ state }) => state === 'expired').length;
  const mailed = async () => (await rows()).filter((row) => row.outcomeMailedAt !== null).length;
  ctx.clock.advance(72 * hourMs);
  ctx.expectErrors(/^a rotation request could not be closed yet$/);
  await expireRotationRequests({ ...ctx, db: failingFirst(ctx.db, 1) });
  expect(await expired()).toBe(1);
  await expireRotationRequests(ctx);
  expect(await expired()).toBe(2);
  ctx.expectErrors(/^the outcome of a rotation request could not be emailed yet$/);
  await mailOutcomes({ ...ctx, db: failingFirst(ctx.db, 1) });
  expect(await mailed()).toBe(1);
  await mailOutcomes(ctx);
  expect(await mailed()).toBe(2);
});

/** Support asks a member to rotate the key. */
async function ask(member: Person, reason = 'scheduled'): Promise<RotationRequest> {
  const path = `/api/dashboard/api-keys/${key.id}/rotation-requests`;
  const body = { member: member.personId, reason };
  const response = await support.post(path, body);
  expect(response.status).toBe(201);
  return dataOf<RotationRequest>(response);
}

async function rotate(body: unknown = {}): Promise<void> {
  const path = `/api/v1/api-keys/${key.id}/rotate`;
  expect((await owner.post(path, body)).status).toBe(201);
}

async function read(uuid: string): Promise<unknown> {
  const path = `/api/dashboard/rotation-requests/${uuid}`;
  const response = await support.get(path);
  return dataOf<unknown>(response);
}

async function audited(uuid: string): Promise<string[]> {
  const isAbout = sql`${auditEntries.target} ->> 'id' = ${uuid}`;
  const entries = await ctx.db
    .select()
    .from(auditEntries)
    .where(and(eq(auditEntries.accountId, account.id), isAbout))
    .orderBy(auditEntries.id);
  return entries.map(({ action }) => action);
}
