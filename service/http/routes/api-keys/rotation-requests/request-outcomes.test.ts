import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import type { RotationRequest } from '#lib/contract/api-keys/rotation-requests.ts';
import { dayMs, hourMs } from '#lib/durations.ts';
import { rotationRequests } from '../../../../db/schema/api-keys/rotation-requests.ts';
import { accounts } from '../../../../db/schema/people/accounts.ts';
import { people } from '../../../../db/schema/people/people.ts';
import { installationSupport } from '../../../../db/schema/people/support.ts';
import { mailOutcomes } from '../../../../domain/rotation-requests/outcomes/mail-outcomes.ts';
import { expireRotationRequests } from '../../../../domain/rotation-requests/outcomes/record-request-end.ts';
import { useRotationRequests } from '../../../../testing/api-keys/rotation-requests.ts';
import type { Member } from '../../../../testing/api-keys/rotation-requests.ts';
import { dataOf, detailsOf, itemsOf, nextCursorOf } from '../../../../testing/api.ts';
import { failingFirst } from '../../../../testing/databases/failing-transactions.ts';
import { auditEntriesOf } from '../../../../testing/records/audit-log.ts';
import { addMember, addPerson } from '../../../../testing/records/people.ts';

const { ctx, api, requests, account, owner, admin, support, key } = useRotationRequests();

describe('the outcome of a request', () => {
  test('is the same for the person who asked, the named member and an owner, and hidden from others', async () => {
    const { uuid, created_at } = await requests.make({ reason: 'lost' });
    ctx.clock.advance(hourMs);
    const input = { reason: 'not_exposed', message: 'A sandbox key.\r\nSee the wiki.' };
    expect((await requests.decline(admin, uuid, input)).status).toBe(204);
    const seen = await read(support, uuid);
    expect(seen).toMatchObject({
      state: 'declined',
      created_at,
      closed_at: ctx.clock.apiTime(),
      closed_by: 'Ida admin',
      closed_because: null,
      decline: { reason: 'not_exposed', message: 'A sandbox key.\nSee the wiki.' },
    });
    expect([await read(admin, uuid), await read(owner, uuid)]).toEqual([seen, seen]);
    expect(await history(support)).toEqual([seen]);

    const { id: personId, email } = await addPerson(ctx, { name: 'Sam' });
    await addMember(ctx, { accountId: account.id, personId, role: 'support' });
    const sam = { ...support, personId, personName: 'Sam', email };
    expect((await api.as(sam).get(`/api/dashboard/rotation-requests/${uuid}`)).status).toBe(404);
    expect(await history(sam)).toEqual([]);
    const entries = await auditEntriesOf(ctx, account.id);
    expect(entries.at(-1)).toMatchObject({
      action: 'rotation_request.declined',
      changes: { reason: 'not_exposed' },
    });
    expect(JSON.stringify(entries)).not.toContain('sandbox');
  });

  test('is "expired" from the deadline on, even before that is stored', async () => {
    const { uuid, expires_at } = await made();
    ctx.clock.advance(72 * hourMs - 1);
    await expireRotationRequests(ctx);
    expect(await read(support, uuid)).toMatchObject({ state: 'open', closed_at: null });
    expect(await told()).toEqual([]);
    ctx.clock.advance(1);
    const seen = await read(admin, uuid);
    expect(seen).toMatchObject({ state: 'expired', closed_at: expires_at, closed_because: null });
    await expireRotationRequests(ctx);
    expect(await read(support, uuid)).toEqual(seen);
  });

  test.each([
    ['the key expires', 'key_expired'],
    ['the member may no longer be shown the token', 'member_may_not'],
  ] as const)('says that it expired because %s', async (_what, because) => {
    const { id } = await account.key({ expiresAt: ctx.clock.apiTime(hourMs) });
    const { uuid } = await made(id);
    if (because === 'key_expired') ctx.clock.advance(hourMs);
    else await requests.setRole(admin, 'support');
    const expired = { state: 'expired', closed_because: because };
    expect(await read(support, uuid)).toMatchObject(expired);
    await expireRotationRequests(ctx);
    expect(await read(support, uuid)).toMatchObject(expired);
  });

  test.each<[what: string, because: string | null, end: () => unknown, next: () => unknown]>([
    ['it is past its deadline', null, pass72Hours, async () => await askOwner()],
    [
      'it is past its deadline and the key is rotated',
      null,
      pass72Hours,
      async () => await owner.post(`/api/v1/api-keys/${key.id}/rotate`),
    ],
    [
      'its member left',
      'member_left',
      async () => await requests.removeMember(admin),
      async () => await askOwner(),
    ],
    [
      'its member may no longer do it',
      'member_may_not',
      async () => await requests.setRole(admin, 'support'),
      async () => await askOwner(),
    ],
  ])('is stored and audited when another request takes its place: %s', async (...row) => {
    const [, because, end, next] = row;
    const { uuid } = await requests.make({ reason: 'scheduled' });
    await end();
    await next();
    expect(await read(owner, uuid)).toMatchObject({ state: 'expired', closed_because: because });
    const entries = await auditEntriesOf(ctx, account.id);
    expect(entries.filter(({ target }) => target.id === uuid).map(({ action }) => action)).toEqual([
      'rotation_request.created',
      'rotation_request.expired',
    ]);
  });

  test('is listed page by page, newest first, to owners and admins of everyone', async () => {
    const uuids: string[] = [];
    for (let count = 0; count < 3; count += 1) {
      const { uuid } = await made();
      await requests.withdraw(support, uuid);
      uuids.unshift(uuid);
      ctx.clock.advance(count);
    }
    const response = await owner.get('/api/dashboard/rotation-request-history?limit=2');
    const rest = await history(owner, `?limit=2&cursor=${nextCursorOf(response)}`);
    const found = [...itemsOf<RotationRequest>(response), ...rest].map(({ uuid }) => uuid);
    expect(found.toSorted()).toEqual(uuids.toSorted());
    expect((await owner.get('/api/dashboard/rotation-request-history?cursor=x')).status).toBe(422);
  });

  async function pass72Hours(): Promise<void> {
    ctx.clock.advance(72 * hourMs + 1000);
  }

  async function askOwner(): Promise<void> {
    await requests.make({ member: owner.personId });
  }
});

test('declining needs a known reason, and no token in the message', async () => {
  const { uuid } = await made();
  const refused = async (input: unknown) => detailsOf(await requests.decline(admin, uuid, input));
  expect(await refused({})).toEqual({ reason: ['Choose a reason.'] });
  expect(await refused({ reason: 'bored' })).toEqual({ reason: ['Choose a reason.'] });
  expect(await refused({ reason: 'other', message: key.token })).toEqual({
    message: ['Leave tokens and secrets out of the message.'],
  });
  expect(await read(admin, uuid)).toMatchObject({ state: 'open' });
});

describe('an email about the outcome', () => {
  const ended = (how: string) => `The request to rotate the API key "Production" ${how}`;

  test.each<[what: string, end: (uuid: string) => unknown, subject: string]>([
    [
      'a declined request',
      (uuid) => requests.decline(admin, uuid),
      'Your request to rotate the API key "Production" was declined',
    ],
    [
      'a request that is done',
      (uuid) => requests.rotate(admin, uuid),
      'The API key "Production" was rotated',
    ],
    [
      'a key that someone else rotated',
      () => owner.post(`/api/v1/api-keys/${key.id}/rotate`, { grace_period_seconds: 0 }),
      'The API key "Production" was rotated',
    ],
    [
      'a key that someone else revoked',
      () => owner.delete(`/api/v1/api-keys/${key.id}`),
      'The API key "Production" was revoked',
    ],
    ['a member who was removed', () => removeMember(admin), ended('was withdrawn')],
    ['a member who left', () => requests.removeMember(admin), ended('expired')],
    ['a request nobody answered', () => ctx.clock.advance(72 * hourMs), ended('expired')],
  ])('of %s goes once, to the person who asked', async (_what, end, subject) => {
    const { uuid } = await made();
    await end(uuid);
    expect(await told()).toEqual([`${subject} → ${support.email}`]);
    const mail = ctx.mails.findLast(({ to }) => to === support.email);
    expect(mail?.text).toContain(`/a/${account.id}/settings/rotation-requests/${uuid}`);
    expect(JSON.stringify(mail)).not.toContain('Between us');
    expect(await told()).toEqual([]);
  });

  test.each([
    ['withdraws it', (uuid: string) => requests.withdraw(support, uuid)],
    ['is removed', () => removeMember(support)],
  ])('goes to the named member if the person who asked %s', async (_what, end) => {
    await end((await made()).uuid);
    expect(await told()).toEqual([`${ended('was withdrawn')} → ${admin.email}`]);
  });

  test('goes to installation support that asked, unless they turned such emails off', async () => {
    const outcomes = [];
    for (const turnedOffMails of [[], ['rotation_requests' as const]]) {
      await requests.decline(admin, (await made()).uuid);
      const { personId } = support;
      await requests.removeMember(support);
      await ctx.db.update(people).set({ turnedOffMails }).where(eq(people.id, personId));
      await ctx.db.insert(installationSupport).values({ personId, addedAt: ctx.clock.now() });
      outcomes.push(await told());
      await ctx.db.delete(installationSupport);
      await addMember(ctx, { accountId: account.id, personId, role: 'support' });
    }
    const mail = `Your request to rotate the API key "Production" was declined → ${support.email}`;
    expect(outcomes).toEqual([[mail], []]);
  });

  test('goes to nobody who left or was not told of the request', async () => {
    for (let count = 0; count < 3; count += 1) {
      await requests.withdraw(support, (await made()).uuid);
    }
    await told();
    const { uuid, mailed_at } = await made();
    expect(mailed_at).toBeNull();
    await requests.withdraw(support, uuid);
    expect(await told()).toEqual([]);
    await requests.decline(admin, (await made()).uuid);
    await removeMember(support);
    expect(await told()).toEqual([]);
  });

  test('counts towards the three emails a day that one person gets about one key', async () => {
    const decline = async () => await requests.decline(admin, (await made()).uuid);
    for (let count = 0; count < 4; count += 1) await decline();
    expect(await told()).toHaveLength(3);
    expect(await told()).toEqual([]);
    ctx.clock.advance(dayMs);
    await decline();
    expect(await told()).toHaveLength(1);
  });

  test('waits while the account is being deleted', async () => {
    await requests.decline(admin, (await made()).uuid);
    const ofAccount = eq(accounts.id, account.id);
    await ctx.db.update(accounts).set({ deletedAt: ctx.clock.now() }).where(ofAccount);
    expect(await told()).toEqual([]);
    await ctx.db.update(accounts).set({ deletedAt: null }).where(ofAccount);
    expect(await told()).toHaveLength(1);
  });
});

test('a request whose end cannot be stored or emailed delays no other', async () => {
  // The requests of earlier tests end first.
  ctx.clock.advance(72 * hourMs);
  await expireRotationRequests(ctx);
  await mailOutcomes(ctx);
  await made();
  await made((await account.key()).id);
  const count = async () => {
    const rows = await ctx.db
      .select()
      .from(rotationRequests)
      .where(eq(rotationRequests.accountId, account.id));
    return [
      rows.filter(({ state }) => state === 'expired').length,
      rows.filter(({ outcomeMailedAt }) => outcomeMailedAt !== null).length,
    ];
  };
  ctx.clock.advance(72 * hourMs);
  ctx.expectErrors(/^a rotation request could not be closed yet$/);
  await expireRotationRequests({ ...ctx, db: failingFirst(ctx.db, 1) });
  expect(await count()).toEqual([1, 0]);
  await expireRotationRequests(ctx);
  ctx.expectErrors(/^the outcome of a rotation request could not be emailed yet$/);
  await mailOutcomes({ ...ctx, db: failingFirst(ctx.db, 1) });
  expect(await count()).toEqual([2, 1]);
  await mailOutcomes(ctx);
  expect(await count()).toEqual([2, 2]);
});

/** Support asks the admin. */
async function made(apiKey = key.id): Promise<RotationRequest> {
  return await requests.make({ apiKey, reason: 'leaked', note: 'Between us.' });
}

async function read(member: Member, uuid: string): Promise<RotationRequest> {
  return dataOf<RotationRequest>(
    await api.as(member).get(`/api/dashboard/rotation-requests/${uuid}`),
  );
}

async function history(member: Member, query = ''): Promise<RotationRequest[]> {
  return itemsOf<RotationRequest>(
    await api.as(member).get(`/api/dashboard/rotation-request-history${query}`),
  );
}

async function removeMember({ personId }: Member): Promise<void> {
  expect((await owner.delete(`/api/dashboard/members/${personId}`)).status).toBe(204);
}

/** The emails that the next round sends to the members, as "subject → address". */
async function told(): Promise<string[]> {
  await expireRotationRequests(ctx);
  return await requests.mailOutcomes([owner, admin, support]);
}
