import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { RotationRequest } from '#lib/contract/api-keys/rotation-requests.ts';
import { hourMs } from '#lib/durations.ts';
import { auditEntries } from '../../../db/schema/audit.ts';
import { rotationRequests } from '../../../db/schema/api-keys/rotation-requests.ts';
import { expireRotationRequests } from '../../../domain/rotation-requests/outcomes/expire-rotation-requests.ts';
import { mailOutcomes } from '../../../domain/rotation-requests/outcomes/mail-outcomes.ts';
import { TestApi } from '../../../testing/api.ts';
import type { ApiResponse, TestAccount } from '../../../testing/api.ts';
import { createTestContext } from '../../../testing/context.ts';
import type { TestContext } from '../../../testing/context.ts';
import { addMember, addPerson } from '../../../testing/records/people.ts';
import { callAs, withSessionsById } from '../../../testing/sessions.ts';

/** Rotation requests with the reason "leaked". */
let ctx: TestContext;
let api: TestApi;
let account: TestAccount;
let owner: Person;
let admin: Person;
let support: Person;
/** Another member of the support staff. */
let colleague: Person;
/** A full key, whose token support must not see. */
let key: Awaited<ReturnType<TestAccount['key']>>;

type Person = Awaited<ReturnType<TestAccount['member']>>;

beforeAll(async () => {
  ctx = withSessionsById(await createTestContext());
  api = new TestApi(ctx);
});
afterAll(() => ctx.dispose());

beforeEach(async () => {
  account = await api.account();
  owner = await account.member('owner');
  admin = await account.member('admin');
  support = await account.member('support');
  const { id: personId, email } = await addPerson(ctx, { name: 'Tim' });
  await addMember(ctx, { accountId: account.id, personId, role: 'support' });
  colleague = { ...support, personId, personName: 'Tim', email };
  key = await account.key({ name: 'Production' });
  // The key is older than the reports about it.
  ctx.clock.advance(1);
});

async function call(
  person: Person,
  method: string,
  path: string,
  body?: unknown,
): Promise<ApiResponse> {
  return await callAs(api, person, [method, path, body]);
}

type Asked = { by?: Person; member?: Person; reason?: string; note?: string };

async function ask({ by = support, member = admin, reason = 'leaked', note }: Asked = {}) {
  const path = `/api/dashboard/api-keys/${key.id}/rotation-requests`;
  return await call(by, 'POST', path, {
    member: member.personId,
    reason,
    ...(note !== undefined && { note }),
  });
}

async function asked(about: Asked = {}): Promise<RotationRequest> {
  const response = await ask(about);
  expect(response.text).toContain('"success":true');
  return (response.body as { data: RotationRequest }).data;
}

async function uuidsFor(person: Person): Promise<string[]> {
  const response = await call(person, 'GET', '/api/dashboard/rotation-requests');
  return (response.body as { data: RotationRequest[] }).data.map(({ uuid }) => uuid);
}

async function rotate(person: Person, body: unknown = {}): Promise<string> {
  const response = await call(person, 'POST', `/api/v1/api-keys/${key.id}/rotate`, body);
  expect(response.status).toBe(201);
  return (response.body as { data: { token: string } }).data.token;
}

async function rotateOnRequest(person: Person, uuid: string, body: unknown = {}): Promise<void> {
  const path = `/api/dashboard/rotation-requests/${uuid}/rotate`;
  expect((await call(person, 'POST', path, body)).status).toBe(201);
}

async function revoke(person: Person, uuid: string): Promise<number> {
  return (await call(person, 'POST', `/api/dashboard/rotation-requests/${uuid}/revoke`)).status;
}

async function endPreviousToken(): Promise<void> {
  const path = `/api/v1/api-keys/${key.id}/previous-token`;
  expect((await call(owner, 'DELETE', path)).status).toBe(204);
}

async function works(token: string): Promise<boolean> {
  return (await api.call('GET', '/api/v1/api-key', { token })).status === 200;
}

async function stateOf({ uuid }: { uuid: string }) {
  const [row] = await ctx.db.select().from(rotationRequests).where(eq(rotationRequests.uuid, uuid));
  return row?.state;
}

async function closedBy({ uuid }: { uuid: string }) {
  const [row] = await ctx.db.select().from(rotationRequests).where(eq(rotationRequests.uuid, uuid));
  return row?.closedBy?.name;
}

async function actions(): Promise<string[]> {
  const entries = await ctx.db
    .select()
    .from(auditEntries)
    .where(eq(auditEntries.accountId, account.id))
    .orderBy(auditEntries.id);
  return entries.map(({ action, actor }) => `${action} by ${actor.name}`);
}

/** The emails about outcomes that are due to these members, as "subject → address". */
async function mailed(): Promise<string[]> {
  const before = ctx.mails.length;
  await mailOutcomes(ctx);
  const addresses = [owner, admin, support, colleague].map(({ email }) => email);
  const mails = ctx.mails.slice(before).filter(({ to }) => addresses.includes(to));
  return mails.map(({ subject, to }) => `${subject} → ${to}`);
}

function detailsOf({ status, body }: ApiResponse): unknown {
  expect(status).toBe(422);
  return (body as { error: { details: unknown } }).error.details;
}

describe('a report of a leak', () => {
  test('is possible beside somebody else’s open request, and lets the reporter revoke the key', async () => {
    const planned = await asked({ reason: 'scheduled' });
    const report = await asked({ by: colleague, member: owner });
    expect(await uuidsFor(support)).toEqual([planned.uuid]);
    expect(await uuidsFor(colleague)).toEqual([report.uuid]);
    expect(await revoke(colleague, report.uuid)).toBe(204);
    expect(await works(key.token)).toBe(false);
    expect([await stateOf(planned), await stateOf(report)]).toEqual(['revoked', 'revoked']);
  });

  test('is possible beside somebody else’s report, and each reporter can revoke on their own alone', async () => {
    const first = await asked();
    const second = await asked({ by: colleague });
    expect(first.uuid).not.toBe(second.uuid);
    expect([await uuidsFor(support), await uuidsFor(colleague)]).toEqual([
      [first.uuid],
      [second.uuid],
    ]);
    expect(await revoke(colleague, first.uuid)).toBe(404);
    expect(await revoke(colleague, second.uuid)).toBe(204);
    // Only the second reporter's limit of revocations counts it.
    expect([await closedBy(first), await closedBy(second)]).toEqual(['Tim', 'Tim']);
    expect([await stateOf(first), await stateOf(second)]).toEqual(['revoked', 'revoked']);
  });

  test('to another member replaces one’s own report', async () => {
    const first = await asked();
    const second = await asked({ member: owner });
    expect(await uuidsFor(support)).toEqual([second.uuid]);
    expect(await stateOf(first)).toBe('withdrawn');
    expect(await mailed()).toEqual([
      `The request to rotate the API key "Production" was withdrawn → ${admin.email}`,
    ]);
  });

  test('prevents requests for other reasons, which it makes superfluous', async () => {
    await asked();
    expect(detailsOf(await ask({ by: colleague, reason: 'lost' }))).toHaveProperty('api_key');
    expect(detailsOf(await ask({ reason: 'lost' }))).toHaveProperty('api_key');
  });

  test('is listed for owners and admins, whoever made it and whoever was asked', async () => {
    const report = await asked();
    const { id: personId, email } = await addPerson(ctx, { name: 'Bob' });
    await addMember(ctx, { accountId: account.id, personId, role: 'admin' });
    const bob = { ...admin, personId, personName: 'Bob', email };
    expect(await uuidsFor(owner)).toEqual([report.uuid]);
    expect(await uuidsFor(bob)).toEqual([report.uuid]);
    expect(await uuidsFor(colleague)).toEqual([]);
    expect(await uuidsFor(await (await api.account()).member('owner'))).toEqual([]);
  });

  test('stays open while a token that existed when it was made works after somebody else’s rotation', async () => {
    const report = await asked();
    ctx.clock.advance(1);
    await rotate(owner, { grace_period_seconds: 86_400 });
    expect(await stateOf(report)).toBe('open');
    expect(await uuidsFor(support)).toEqual([report.uuid]);
    expect(await mailed()).toEqual([]);
    expect(await revoke(support, report.uuid)).toBe(204);
    expect(await works(key.token)).toBe(false);
  });

  test('stays open when the key rotates itself, because its old token works', async () => {
    const report = await asked();
    ctx.clock.advance(1);
    const path = `/api/v1/api-keys/${key.id}/rotate`;
    expect((await api.call('POST', path, { token: key.token })).status).toBe(201);
    expect(await stateOf(report)).toBe('open');
  });

  test('is done by a rotation that ends every older token', async () => {
    const report = await asked();
    await rotate(owner, { grace_period_seconds: 0 });
    expect([await stateOf(report), await closedBy(report)]).toEqual(['done', 'Ida owner']);
    expect((await actions()).slice(-2)).toEqual([
      'api_key.rotated by Ida owner',
      'rotation_request.done by Ida owner',
    ]);
  });

  test('is done when the last token that existed when it was made is ended', async () => {
    const report = await asked();
    ctx.clock.advance(1);
    await rotate(owner, { grace_period_seconds: 86_400 });
    ctx.clock.advance(1);
    await endPreviousToken();
    expect(await stateOf(report)).toBe('done');
    expect((await actions()).slice(-2)).toEqual([
      'api_key.previous_token_ended by Ida owner',
      'rotation_request.done by Ida owner',
    ]);
    expect(await mailed()).toEqual([`The API key "Production" was rotated → ${support.email}`]);
  });

  test('is done when that token is ended by its id', async () => {
    const report = await asked();
    ctx.clock.advance(1);
    await rotate(owner, { grace_period_seconds: 86_400 });
    const shown = await call(owner, 'GET', `/api/v1/api-keys/${key.id}`);
    const { tokens } = (shown.body as { data: { tokens: { id: number }[] } }).data;
    const path = `/api/v1/api-keys/${key.id}/tokens/${tokens[1]?.id}`;
    expect((await call(owner, 'DELETE', path)).status).toBe(204);
    expect(await stateOf(report)).toBe('done');
  });

  test('is done when that token has lapsed, by whoever rotated the key', async () => {
    const report = await asked();
    ctx.clock.advance(1);
    await rotate(owner, { grace_period_seconds: 86_400 });
    ctx.clock.advance(24 * hourMs - 1);
    await expireRotationRequests(ctx);
    expect(await stateOf(report)).toBe('open');
    ctx.clock.advance(1);
    await expireRotationRequests(ctx);
    expect([await stateOf(report), await closedBy(report)]).toEqual(['done', 'Ida owner']);
    expect((await actions()).at(-1)).toBe('rotation_request.done by Housekeeping');
  });

  test('is not done by the end of a token that was replaced before it: the newest may have leaked', async () => {
    await rotate(owner, { grace_period_seconds: 86_400 });
    ctx.clock.advance(1);
    const report = await asked();
    ctx.clock.advance(1);
    await endPreviousToken();
    expect(await stateOf(report)).toBe('open');
    ctx.clock.advance(25 * hourMs);
    await expireRotationRequests(ctx);
    expect(await stateOf(report)).toBe('open');
  });

  test('is done if the member it names rotates the key on it, whatever they choose; other reports stay open', async () => {
    const [report, other] = [await asked(), await asked({ by: colleague })];
    await rotateOnRequest(admin, report.uuid, { grace_period_seconds: 86_400 });
    expect([await stateOf(report), await stateOf(other)]).toEqual(['done', 'open']);
  });

  test('is closed with every other request of the key, and each person who asked is told', async () => {
    const planned = await asked({ by: owner, reason: 'scheduled' });
    const reports = [await asked(), await asked({ by: colleague })];
    await rotateOnRequest(admin, reports[0]?.uuid ?? '', { grace_period_seconds: 0 });
    for (const request of [planned, ...reports]) expect(await stateOf(request)).toBe('done');
    const subject = 'The API key "Production" was rotated';
    const addresses = [owner, support, colleague].map(({ email }) => email);
    expect((await mailed()).toSorted()).toEqual(
      addresses.map((address) => `${subject} → ${address}`).toSorted(),
    );
  });
});

describe('the same request again', () => {
  test.each(['scheduled', 'leaked'])(
    'returns the open one, and sends no second email: %s',
    async (reason) => {
      const before = ctx.mails.length;
      const first = await asked({ reason, note: 'Ask Ida.' });
      expect(await asked({ reason, note: 'Ask Ida.' })).toEqual(first);
      expect(ctx.mails).toHaveLength(before + 1);
      expect((await actions()).filter((each) => each.startsWith('rotation_request'))).toEqual([
        'rotation_request.created by Ida support',
      ]);
    },
  );

  test('to another member is refused, and addresses whoever asked as "you"', async () => {
    const { expires_at: end } = await asked({ reason: 'lost' });
    expect(detailsOf(await ask({ reason: 'lost', member: owner }))).toEqual({
      api_key: [
        `You already asked Ida admin to rotate this key. That request is open until ${end}, unless it is withdrawn or declined before.`,
      ],
    });
  });
});
