import { and, desc, eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Role } from '#lib/contract/roles.ts';
import type { RotationRequest } from '#lib/contract/api-keys/rotation-requests.ts';
import { hourMs } from '#lib/durations.ts';
import { bootContext } from '../../../boot/boot-context.ts';
import { apiKeys } from '../../../db/schema/api-keys/api-keys.ts';
import { auditEntries } from '../../../db/schema/audit.ts';
import { members } from '../../../db/schema/people/members.ts';
import { rotationRequests } from '../../../db/schema/api-keys/rotation-requests.ts';
import { mailOutcomes } from '../../../domain/rotation-requests/outcomes/mail-outcomes.ts';
import { dataOf, TestApi } from '../../../testing/api.ts';
import type { ApiResponse, TestAccount } from '../../../testing/api.ts';
import { createTestContext } from '../../../testing/context.ts';
import type { TestContext } from '../../../testing/context.ts';
import { addMember, addPerson } from '../../../testing/records/people.ts';
import { callAs, withSessionsById } from '../../../testing/sessions.ts';

const unknown = crypto.randomUUID();

let ctx: TestContext;
let api: TestApi;
let account: TestAccount;
let owner: Person;
let admin: Person;
let support: Person;
let viewer: Person;
/** A full key, whose token support must not see. */
let key: Awaited<ReturnType<TestAccount['key']>>;

type Person = { personId: string; personName: string; email: string };

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
  viewer = await account.member('viewer');
  key = await account.key({ name: 'Production' });
});

async function call(
  person: Person,
  method: string,
  path: string,
  body?: unknown,
): Promise<ApiResponse> {
  return await callAs(api, person, [method, `/api/dashboard/${path}`, body]);
}

async function ask(
  about: {
    by?: Person;
    apiKey?: number | string;
    member?: string;
    reason?: string;
    note?: string;
  } = {},
): Promise<ApiResponse> {
  const { by = support, apiKey = key.id, member = admin.personId, reason = 'lost', note } = about;
  return await call(by, 'POST', `api-keys/${apiKey}/rotation-requests`, {
    member,
    reason,
    ...(note !== undefined && { note }),
  });
}

async function asked(about: Parameters<typeof ask>[0] = {}): Promise<RotationRequest> {
  const response = await ask(about);
  expect(response.text).toContain('"success":true');
  return (response.body as { data: RotationRequest }).data;
}

async function listedFor(person: Person): Promise<RotationRequest[]> {
  const response = await call(person, 'GET', 'rotation-requests');
  expect(response.status).toBe(200);
  return (response.body as { data: RotationRequest[] }).data;
}

async function uuidsFor(person: Person): Promise<string[]> {
  return (await listedFor(person)).map(({ uuid }) => uuid);
}

async function rotators(person: Person, apiKey: number): Promise<unknown> {
  return ((await call(person, 'GET', `api-keys/${apiKey}/rotators`)).body as { data: unknown })
    .data;
}

async function rotate(person: Person, uuid: string, body: unknown = {}): Promise<ApiResponse> {
  return await call(person, 'POST', `rotation-requests/${uuid}/rotate`, body);
}

async function revoke(person: Person, uuid: string): Promise<ApiResponse> {
  return await call(person, 'POST', `rotation-requests/${uuid}/revoke`);
}

async function withdraw(person: Person, uuid: string): Promise<ApiResponse> {
  return await call(person, 'DELETE', `rotation-requests/${uuid}`);
}

async function decline(
  person: Person,
  uuid: string,
  input: unknown = { reason: 'later' },
): Promise<ApiResponse> {
  return await call(person, 'POST', `rotation-requests/${uuid}/decline`, input);
}

async function rowOf(uuid: string) {
  const [row] = await ctx.db.select().from(rotationRequests).where(eq(rotationRequests.uuid, uuid));
  return row;
}

async function works(token: string): Promise<boolean> {
  return (await api.call('GET', '/api/v1/api-key', { token })).status === 200;
}

async function audited() {
  const entries = await ctx.db
    .select()
    .from(auditEntries)
    .where(eq(auditEntries.accountId, account.id))
    .orderBy(auditEntries.id);
  return entries.map(({ action, actor, target }) => `${action} by ${actor.name}: ${target.name}`);
}

async function setRole(person: Person, role: Role): Promise<void> {
  await ctx.db.update(members).set({ role }).where(membershipOf(person));
}

async function letSupportSee(tokens: string): Promise<void> {
  expect((await call(owner, 'PATCH', 'account', { support: { tokens } })).status).toBe(200);
}

function membershipOf({ personId }: Person) {
  return and(eq(members.accountId, account.id), eq(members.personId, personId));
}

function detailsOf({ status, body }: ApiResponse): unknown {
  expect(status).toBe(422);
  return (body as { error: { details: unknown } }).error.details;
}

describe('the members who can be asked', () => {
  test('for a full key are all other members who may see its token', async () => {
    const one = ({ personId: id, personName: name, email }: Person, role: Role) => ({
      id,
      name,
      email,
      role,
    });
    expect(await rotators(support, key.id)).toEqual([one(admin, 'admin'), one(owner, 'owner')]);
    expect(await rotators(viewer, key.id)).toEqual([one(admin, 'admin'), one(owner, 'owner')]);
    expect(await rotators(owner, key.id)).toEqual([one(admin, 'admin')]);
  });

  test('for a key within their role include support, and never viewers', async () => {
    const { id } = await account.key({ scopes: ['webhooks:read'] });
    expect(await rotators(owner, id)).toMatchObject([{ role: 'admin' }, { role: 'support' }]);
  });

  test('for a stronger key include support if an owner lets them see its token', async () => {
    const { id } = await account.key({ scopes: ['messages:write'] });
    expect(await rotators(owner, id)).toMatchObject([{ role: 'admin' }]);
    await letSupportSee('webhook_and_bot');
    expect(await rotators(owner, id)).toMatchObject([{ role: 'admin' }, { role: 'support' }]);
    const { uuid } = await asked({ by: owner, apiKey: id, member: support.personId });
    await letSupportSee('within_role');
    expect(await uuidsFor(support)).toEqual([]);
    expect((await rotate(support, uuid)).status).toBe(403);
  });

  test('never belong to another account', async () => {
    const elsewhere = await api.account();
    expect(await rotators(await elsewhere.member('owner'), (await elsewhere.key()).id)).toEqual([]);
  });
});

describe('asking for a rotation', () => {
  test('changes nothing about the key, is open for 72 hours, and is audited without the note', async () => {
    const note = 'The laptop was stolen.\r\nAsk Ida.';
    const response = await ask({ reason: 'leaked', note });
    expect(response.status).toBe(201);
    const at = (ms: number) =>
      new Date(ctx.clock.now().getTime() + ms).toISOString().replace('Z', '+00:00');
    expect(response.body).toEqual({
      success: true,
      data: {
        uuid: expect.any(String),
        api_key: { id: key.id, uuid: key.uuid, name: 'Production', last_four: key.lastFour },
        requested_by: { id: support.personId, name: 'Ida support' },
        member: { id: admin.personId, name: 'Ida admin' },
        reason: 'leaked',
        note: 'The laptop was stolen.\nAsk Ida.',
        state: 'open',
        created_at: at(0),
        expires_at: at(72 * hourMs),
        mailed_at: at(0),
        closed_at: null,
        closed_by: null,
        closed_because: null,
        decline: null,
      },
    });
    expect(await works(key.token)).toBe(true);
    const written = await ctx.db
      .select()
      .from(auditEntries)
      .where(eq(auditEntries.accountId, account.id));
    expect(written.at(-1)).toMatchObject({
      action: 'rotation_request.created',
      actor: { name: 'Ida support' },
      target: { kind: 'rotation_request', name: 'Production' },
      changes: { member: 'Ida admin', reason: 'leaked' },
    });
    expect(JSON.stringify(written)).not.toContain('stolen');
  });

  test('is emailed to the named member alone, without the note or anything that looks like a token', async () => {
    const { id } = await account.key({ name: 'Shop sk_live_typed by mistake' });
    const before = ctx.mails.length;
    const { uuid } = await asked({ apiKey: id, reason: 'lost', note: 'Between us.' });
    const mails = ctx.mails.slice(before);
    expect(mails).toMatchObject([
      { to: admin.email, subject: 'You are asked to rotate the API key "Shop … by mistake"' },
    ]);
    const [greeting, what, facts, link, footer, ...rest] = mails[0]?.text.split('\n\n') ?? [];
    expect(greeting).toBe('Hello Ida admin,');
    expect(what).toBe(
      '"Ida support" asks you to rotate the API key "Shop … by mistake". Nothing happens to the key until you rotate it.',
    );
    expect(facts?.split('\n')).toEqual([
      'API key: Shop … by mistake',
      'Asked by: Ida support',
      'Reason: The token is lost',
      expect.stringMatching(/^Open until: .* UTC$/),
      'Account: Marlow & Finch',
    ]);
    expect(link).toBe(
      `Open the request:\n${ctx.config.publicUrl.origin}/a/${account.id}/settings/rotation-requests/${uuid}`,
    );
    expect(footer).toContain('because a member of this account asked you.');
    expect(rest).toEqual([]);
    expect(JSON.stringify(mails)).not.toContain('Between us');
  });

  test('names the key by its id or its uuid', async () => {
    const made = await asked({ apiKey: key.uuid });
    expect(made.api_key.id).toBe(key.id);
  });

  test('is also possible for those who could rotate the key themselves', async () => {
    expect((await asked({ by: owner })).requested_by.id).toBe(owner.personId);
  });

  test('is refused to a viewer and to an API key', async () => {
    expect((await ask({ by: viewer })).status).toBe(403);
    const response = await api.call('GET', '/api/dashboard/rotation-requests', {
      token: key.token,
    });
    expect(response.status).toBe(403);
  });

  test('is refused if the named member is a viewer, a stranger or has a role that does not cover the key', async () => {
    const stranger = await (await api.account()).member('owner');
    const cases = [viewer.personId, stranger.personId, 'nobody', 'a\u0000b'];
    for (const member of [...cases, support.personId]) {
      const by = member === support.personId ? admin : support;
      expect(detailsOf(await ask({ by, member }))).toEqual({
        member: ['Choose a member who may see the token of this key.'],
      });
    }
    expect(await listedFor(support)).toEqual([]);
  });

  test('is refused if the named member is the caller', async () => {
    const response = await ask({ by: admin, member: admin.personId });
    expect(detailsOf(response)).toEqual({ member: ['Choose somebody else.'] });
  });

  test('refuses a reason it does not know, a note that is too long, and a token in the note', async () => {
    expect(detailsOf(await ask({ reason: 'bored' }))).toHaveProperty('reason');
    expect(detailsOf(await ask({ note: 'x'.repeat(501) }))).toHaveProperty('note');
    expect(detailsOf(await ask({ note: 'a\u202eb' }))).toHaveProperty('note');
    const leaky = await ask({ reason: 'leaked', note: `I found ${key.token} in a repository` });
    expect(detailsOf(leaky)).toEqual({ note: ['Leave tokens and secrets out of the note.'] });
    expect(leaky.text).not.toContain(key.token);
  });

  test('keeps no empty note', async () => {
    expect((await asked({ note: '  ' })).note).toBeNull();
  });

  test('is refused while another request is open, and says who asked whom', async () => {
    const first = await asked();
    expect(detailsOf(await ask({ by: owner }))).toEqual({
      api_key: [
        `Ida support already asked Ida admin to rotate this key. That request is open until ${first.expires_at}, unless it is withdrawn or declined before.`,
      ],
    });
  });

  test('because of a leak replaces one’s own open request for another reason, and withdraws that', async () => {
    const first = await asked({ reason: 'scheduled', member: owner.personId });
    const second = await asked({ reason: 'leaked' });
    expect(await uuidsFor(support)).toEqual([second.uuid]);
    expect(await rowOf(first.uuid)).toMatchObject({
      state: 'withdrawn',
      closedBy: { id: support.personId },
    });
    expect((await audited()).slice(-3)).toEqual([
      'rotation_request.created by Ida support: Production',
      'rotation_request.withdrawn by Ida support: Production',
      'rotation_request.created by Ida support: Production',
    ]);
    await mailOutcomes(ctx);
    const subjects = ctx.mails.filter(({ to }) => to === owner.email).map(({ subject }) => subject);
    expect(subjects.at(-1)).toContain('was withdrawn');
  });

  test('because of a leak does not email the same member that they need not do anything', async () => {
    await asked({ reason: 'scheduled' });
    await asked({ reason: 'leaked' });
    await mailOutcomes(ctx);
    const subjects = ctx.mails.filter(({ to }) => to === admin.email).map(({ subject }) => subject);
    expect(subjects).toEqual([
      'You are asked to rotate the API key "Production"',
      'You are asked to rotate the API key "Production"',
    ]);
  });

  test('takes the place of a request that expired', async () => {
    const first = await asked();
    ctx.clock.advance(72 * hourMs);
    const second = await asked({ member: owner.personId });
    expect(await uuidsFor(support)).toEqual([second.uuid]);
    expect(await rowOf(first.uuid)).toMatchObject({ state: 'expired', closedBy: null });
  });

  test('takes the place of a request whose member left or may no longer do it', async () => {
    await asked();
    await ctx.db.delete(members).where(membershipOf(admin));
    const second = await asked({ member: owner.personId });
    await addMember(ctx, { accountId: account.id, personId: admin.personId, role: 'owner' });
    await setRole(owner, 'support');
    const third = await asked();
    expect(await uuidsFor(support)).toEqual([third.uuid]);
    expect(await rowOf(second.uuid)).toMatchObject({ state: 'expired' });
  });

  test('is refused for a revoked and an expired key', async () => {
    const soon = new Date(ctx.clock.now().getTime() + hourMs).toISOString();
    const dying = await account.key({ expiresAt: soon });
    ctx.clock.advance(hourMs);
    expect(detailsOf(await ask({ apiKey: dying.id }))).toHaveProperty('api_key');
    await callAs(api, owner, ['DELETE', `/api/v1/api-keys/${key.id}`]);
    expect(detailsOf(await ask())).toHaveProperty('api_key');
  });

  test('for a key that does not exist is a 404', async () => {
    expect((await ask({ apiKey: unknown })).status).toBe(404);
    expect((await ask({ apiKey: 'x' })).status).toBe(404);
  });
});

describe('emails about a request', () => {
  const mailsTo = ({ email }: Person) => ctx.mails.filter(({ to }) => to === email).length;

  /** Asks, and withdraws the request at once. */
  async function askAndWithdraw(about: Parameters<typeof asked>[0] = {}) {
    const request = await asked(about);
    expect((await withdraw(support, request.uuid)).status).toBe(204);
    return request;
  }

  test('about one key reach a member three times a day, however often they are asked', async () => {
    const requests = [];
    for (let count = 0; count < 6; count += 1) requests.push(await askAndWithdraw());
    expect(mailsTo(admin)).toBe(3);
    const now = requests[0]?.created_at;
    expect(requests.map(({ mailed_at }) => mailed_at)).toEqual([now, now, now, null, null, null]);
  });

  test('are counted by the day to the millisecond, from each email on', async () => {
    await askAndWithdraw();
    ctx.clock.advance(hourMs);
    for (let count = 0; count < 3; count += 1) await askAndWithdraw();
    ctx.clock.advance(23 * hourMs - 1);
    expect((await askAndWithdraw()).mailed_at).toBeNull();
    ctx.clock.advance(1);
    expect((await askAndWithdraw()).mailed_at).not.toBeNull();
    expect((await askAndWithdraw()).mailed_at).toBeNull();
    expect(mailsTo(admin)).toBe(4);
  });

  test('are counted separately for each member and each key', async () => {
    const { id: other } = await account.key();
    for (let count = 0; count < 4; count += 1) await askAndWithdraw();
    await askAndWithdraw({ member: owner.personId });
    await askAndWithdraw({ apiKey: other });
    expect([mailsTo(admin), mailsTo(owner)]).toEqual([4, 1]);
  });

  test('are counted also where the requests end by being declined or done', async () => {
    for (let count = 0; count < 2; count += 1) await decline(admin, (await asked()).uuid);
    await rotate(admin, (await asked()).uuid);
    expect((await asked({ by: owner })).mailed_at).toBeNull();
    expect(mailsTo(admin)).toBe(3);
  });

  test('are still counted after a restart, and in another process', async () => {
    for (let count = 0; count < 2; count += 1) await askAndWithdraw();
    const { config, database, clock, silentLog: log, mail, dashboardCredential } = ctx;
    const booted = await bootContext({ config, database, clock, log });
    const restarted = { ...ctx, ...booted, clock, mail, dashboardCredential };
    const other = new TestApi(withSessionsById(restarted));
    const path = `/api/dashboard/api-keys/${key.id}/rotation-requests`;
    const body = { member: admin.personId, reason: 'lost' };
    const third = await callAs(other, support, ['POST', path, body]);
    const { uuid } = dataOf(third);
    await callAs(other, support, ['DELETE', `/api/dashboard/rotation-requests/${String(uuid)}`]);
    expect((await asked()).mailed_at).toBeNull();
    expect(mailsTo(admin)).toBe(3);
    await booted.usage.stop();
    await booted.limiter.close();
  });

  test('that are not sent leave the request open, which the audit log records', async () => {
    for (let count = 0; count < 3; count += 1) await askAndWithdraw();
    const { uuid } = await asked();
    expect(await listedFor(admin)).toMatchObject([{ uuid, mailed_at: null }]);
    const [entry] = await ctx.db
      .select()
      .from(auditEntries)
      .where(eq(auditEntries.accountId, account.id))
      .orderBy(desc(auditEntries.id));
    expect(entry).toMatchObject({
      action: 'rotation_request.created',
      changes: { member: 'Ida admin', reason: 'lost', mailed: false },
    });
    expect((await rotate(admin, uuid)).status).toBe(201);
  });
});

describe('the list', () => {
  test('has the requests that one made or is named in, newest first, and no others', async () => {
    const other = await account.key();
    const made = await asked();
    ctx.clock.advance(1);
    const named = await asked({ by: owner, apiKey: other.id });
    expect(await listedFor(admin)).toEqual([named, made]);
    expect(await uuidsFor(support)).toEqual([made.uuid]);
    expect(await uuidsFor(owner)).toEqual([named.uuid]);
    expect((await call(viewer, 'GET', 'rotation-requests')).status).toBe(403);
    expect(await listedFor(await (await api.account()).member('owner'))).toEqual([]);
  });

  test('leaves out what can no longer be done', async () => {
    const soon = new Date(ctx.clock.now().getTime() + hourMs).toISOString();
    const dying = await account.key({ expiresAt: soon });
    await asked({ apiKey: dying.id });
    const made = await asked();
    ctx.clock.advance(hourMs);
    expect(await uuidsFor(support)).toEqual([made.uuid]);
    await setRole(admin, 'support');
    expect(await uuidsFor(support)).toEqual([]);
    await setRole(admin, 'admin');
    ctx.clock.advance(71 * hourMs - 1);
    expect(await uuidsFor(admin)).toEqual([made.uuid]);
    ctx.clock.advance(1);
    expect(await uuidsFor(admin)).toEqual([]);
  });

  test('keeps a request if the person who made it left, because its reason still applies', async () => {
    const { uuid } = await asked();
    await ctx.db.delete(members).where(membershipOf(support));
    expect(await uuidsFor(admin)).toEqual([uuid]);
    expect((await rotate(admin, uuid)).status).toBe(201);
  });
});

describe('rotating on request', () => {
  test('refuses `dry_run`, so that it is never taken for a rotation', async () => {
    const { uuid } = await asked();
    const response = await rotate(admin, uuid, { dry_run: true });
    expect(response.status).toBe(422);
    expect(detailsOf(response)).toEqual({ dry_run: ['This field is unknown.'] });
    expect((await rotate(admin, uuid)).status).toBe(201);
  });

  test('makes the token then, shows it to the named member, and closes the request', async () => {
    const { uuid } = await asked();
    const response = await rotate(admin, uuid, { grace_period_seconds: 0 });
    expect(response.status).toBe(201);
    const { data } = response.body as { data: { token: string; message: string } };
    expect(data.message).toContain('Save this token now');
    expect([await works(data.token), await works(key.token)]).toEqual([true, false]);
    expect(await rowOf(uuid)).toMatchObject({
      state: 'done',
      closedAt: ctx.clock.now(),
      closedBy: { kind: 'person', id: admin.personId },
    });
    expect([await listedFor(admin), await listedFor(support)]).toEqual([[], []]);
    expect((await audited()).slice(-2)).toEqual([
      'api_key.rotated by Ida admin: Production',
      'rotation_request.done by Ida admin: Production',
    ]);
    const written = await ctx.db.select().from(auditEntries);
    expect(JSON.stringify(written)).not.toContain(data.token);
  });

  test('is for the named member alone: others get a 404', async () => {
    const { uuid } = await asked();
    const none = await rotate(owner, unknown);
    for (const person of [owner, support]) {
      const response = await rotate(person, uuid);
      expect([response.status, response.text]).toEqual([404, none.text]);
    }
    expect((await rotate(viewer, uuid)).status).toBe(403);
    expect((await rotate(admin, 'x')).status).toBe(404);
    expect(await uuidsFor(admin)).toEqual([uuid]);
  });

  test('is refused once the role of the named member no longer covers the key', async () => {
    const { uuid } = await asked();
    await setRole(admin, 'support');
    expect((await rotate(admin, uuid)).status).toBe(403);
    expect(await works(key.token)).toBe(true);
  });

  test('happens once', async () => {
    const { uuid } = await asked();
    expect((await rotate(admin, uuid)).status).toBe(201);
    expect(detailsOf(await rotate(admin, uuid))).toEqual({
      rotation_request: ['The key was rotated after this request.'],
    });
  });

  test('is too late after 72 hours', async () => {
    const { uuid, expires_at } = await asked();
    ctx.clock.advance(72 * hourMs);
    expect(detailsOf(await rotate(admin, uuid))).toEqual({
      rotation_request: [`This request expired at ${expires_at}. Ask again.`],
    });
  });

  test('with a wrong last four leaves the request open', async () => {
    const { uuid } = await asked();
    expect(detailsOf(await rotate(admin, uuid, { expected_last_four: 'zzzz' }))).toHaveProperty(
      'expected_last_four',
    );
    expect(await uuidsFor(admin)).toEqual([uuid]);
  });

  test('refuses an expired key', async () => {
    const { uuid } = await asked();
    await ctx.db.update(apiKeys).set({ expiresAt: ctx.clock.now() }).where(eq(apiKeys.id, key.id));
    expect(detailsOf(await rotate(admin, uuid))).toHaveProperty('api_key');
  });
});

describe('a request is closed by what happens to the key otherwise', () => {
  test('as done when somebody else rotates it', async () => {
    const { uuid } = await asked();
    const path = `/api/v1/api-keys/${key.id}/rotate`;
    expect((await callAs(api, owner, ['POST', path, {}])).status).toBe(201);
    expect(await rowOf(uuid)).toMatchObject({ state: 'done', closedBy: { id: owner.personId } });
    expect((await audited()).at(-1)).toBe('rotation_request.done by Ida owner: Production');
  });

  test('as done when the key rotates itself', async () => {
    const { uuid } = await asked();
    await api.call('POST', `/api/v1/api-keys/${key.id}/rotate`, { token: key.token });
    expect(await rowOf(uuid)).toMatchObject({ state: 'done', closedBy: { id: key.uuid } });
  });

  test('as revoked when somebody revokes it', async () => {
    const { uuid } = await asked();
    const path = `/api/v1/api-keys/${key.id}`;
    expect((await callAs(api, owner, ['DELETE', path])).status).toBe(204);
    expect(await rowOf(uuid)).toMatchObject({ state: 'revoked', closedBy: { id: owner.personId } });
    expect(detailsOf(await rotate(admin, uuid))).toEqual({
      rotation_request: ['The key was revoked after this request.'],
    });
  });

  test('as expired if that happens after its deadline', async () => {
    const { uuid } = await asked();
    ctx.clock.advance(72 * hourMs);
    await callAs(api, owner, ['POST', `/api/v1/api-keys/${key.id}/rotate`, {}]);
    expect(await rowOf(uuid)).toMatchObject({ state: 'expired', closedBy: null });
  });
});

describe('ending a leaked key', () => {
  test('is possible for the person who reported the leak, although their role revokes no keys', async () => {
    const direct = await callAs(api, support, ['DELETE', `/api/v1/api-keys/${key.id}`]);
    expect(direct.status).toBe(403);
    const { uuid } = await asked({ reason: 'leaked' });
    const response = await revoke(support, uuid);
    expect([response.status, response.text]).toEqual([204, '']);
    expect(await works(key.token)).toBe(false);
    const shown = await callAs(api, owner, ['GET', `/api/v1/api-keys/${key.id}`]);
    expect(shown.body).toMatchObject({
      data: {
        status: 'revoked',
        revoked_by: { id: support.personId },
        revoked_reason: 'Reported as leaked',
      },
    });
    expect(await rowOf(uuid)).toMatchObject({ state: 'revoked' });
    expect((await audited()).slice(-2)).toEqual([
      'api_key.revoked by Ida support: Production',
      'rotation_request.revoked by Ida support: Production',
    ]);
  });

  test('tells every owner by email, and nobody else', async () => {
    const { id } = await addPerson(ctx, { email: 'second@example.com' });
    await addMember(ctx, { accountId: account.id, personId: id, role: 'owner' });
    const { uuid } = await asked({ reason: 'leaked' });
    const before = ctx.mails.length;
    await revoke(support, uuid);
    const mails = ctx.mails.slice(before);
    expect(mails.map(({ to }) => to).toSorted()).toEqual(
      [owner.email, 'second@example.com'].toSorted(),
    );
    expect(mails[0]?.subject).toBe('The API key "Production" was revoked as leaked');
    expect(mails[0]?.text.split('\n\n').slice(1, 5)).toEqual([
      '"Ida support" reported that the token of the API key "Production" may have leaked, and revoked the key.',
      'Its tokens no longer work: calls with them are rejected. Whoever used the key needs a new one.',
      expect.stringMatching(
        /^API key: Production\nRevoked by: Ida support\nTime: .* UTC\nAccount: Marlow & Finch$/,
      ),
      `Open the key:\n${ctx.config.publicUrl.origin}/a/${account.id}/settings/api-keys/${key.id}`,
    ]);
  });

  test('is the only way in which support can end a token, even of a key they could rotate', async () => {
    const small = await account.key({ scopes: ['webhooks:read'] });
    const path = `/api/v1/api-keys/${small.id}/rotate`;
    const refused = await callAs(api, support, ['POST', path, { grace_period_seconds: 0 }]);
    expect(refused.status).toBe(403);
    expect(refused.text).toContain('request a rotation with the reason');
    expect(await works(small.token)).toBe(true);
    const { uuid } = await asked({ apiKey: small.id, reason: 'leaked' });
    expect((await revoke(support, uuid)).status).toBe(204);
    expect(await works(small.token)).toBe(false);
  });

  test('is limited to three a day for a person, over all their accounts', async () => {
    const elsewhere = await api.account();
    const uuids: string[] = [];
    for (let count = 0; count < 3; count += 1) {
      const { id } = await account.key();
      uuids.push((await asked({ apiKey: id, reason: 'leaked' })).uuid);
    }
    for (const uuid of uuids) {
      ctx.clock.advance(hourMs);
      expect((await revoke(support, uuid)).status).toBe(204);
    }

    await ctx.db.delete(members).where(membershipOf(support));
    const { personId } = support;
    await addMember(ctx, { accountId: elsewhere.id, personId, role: 'support' });
    const { id } = await elsewhere.key();
    const member = (await elsewhere.member('admin')).personId;
    const { uuid } = await asked({ apiKey: id, member, reason: 'leaked' });
    const refused = await revoke(support, uuid);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '79200']);
    expect(refused.text).toContain('Ask an owner or an admin to revoke this one.');
    ctx.clock.advance(22 * hourMs - 1);
    expect((await revoke(support, uuid)).status).toBe(429);
    ctx.clock.advance(1);
    expect((await revoke(support, uuid)).status).toBe(204);
  });

  test('needs a request with that reason', async () => {
    const { uuid } = await asked({ reason: 'left' });
    expect(detailsOf(await revoke(support, uuid))).toEqual({
      rotation_request: ['Only a key reported as leaked can be revoked this way.'],
    });
    expect(await works(key.token)).toBe(true);
  });

  test('needs an open request', async () => {
    const withdrawn = await asked({ reason: 'leaked' });
    await withdraw(support, withdrawn.uuid);
    expect(detailsOf(await revoke(support, withdrawn.uuid))).toHaveProperty('rotation_request');
    const expired = await asked({ reason: 'leaked' });
    ctx.clock.advance(72 * hourMs);
    expect(detailsOf(await revoke(support, expired.uuid))).toHaveProperty('rotation_request');
    expect(await works(key.token)).toBe(true);
  });

  test('is refused to everybody else, even the named member', async () => {
    const { uuid } = await asked({ reason: 'leaked' });
    const none = await revoke(admin, unknown);
    for (const person of [admin, owner]) {
      const response = await revoke(person, uuid);
      expect([response.status, response.text]).toEqual([404, none.text]);
    }
  });

  test('is refused once one may no longer rotate keys', async () => {
    const { uuid } = await asked({ reason: 'leaked' });
    await setRole(support, 'viewer');
    expect((await revoke(support, uuid)).status).toBe(403);
    await ctx.db.delete(members).where(membershipOf(support));
    expect((await revoke(support, uuid)).status).toBe(401);
  });
});

describe('closing a request', () => {
  test.each([
    ['whoever made it withdraws it', 'support', 'withdrawn', withdraw],
    ['the named member declines it', 'admin', 'declined', decline],
  ] as const)(
    '%s, which is audited once, and again changes nothing',
    async (_what, role, state, close) => {
      const { uuid } = await asked();
      const person = role === 'support' ? support : admin;
      expect((await close(person, uuid)).status).toBe(204);
      expect(await rowOf(uuid)).toMatchObject({ state, closedBy: { id: person.personId } });
      const entries = await audited();
      expect(entries.at(-1)).toBe(`rotation_request.${state} by Ida ${role}: Production`);
      expect((await close(person, uuid)).status).toBe(204);
      expect(await audited()).toEqual(entries);
      expect([await listedFor(admin), await listedFor(support)]).toEqual([[], []]);
      expect(detailsOf(await rotate(admin, uuid))).toEqual({
        rotation_request: [`This request was ${state}.`],
      });
      expect(await works(key.token)).toBe(true);
    },
  );

  test('is for nobody else', async () => {
    const { uuid } = await asked();
    for (const [close, others] of [
      [withdraw, [owner, admin]],
      [decline, [owner, support]],
    ] as const) {
      const none = await close(owner, unknown);
      for (const person of others) {
        const response = await close(person, uuid);
        expect([response.status, response.text]).toEqual([404, none.text]);
      }
    }
    expect(await uuidsFor(admin)).toEqual([uuid]);
  });

  test('is refused once it ended in another way', async () => {
    const { uuid } = await asked();
    await rotate(admin, uuid);
    expect(detailsOf(await withdraw(support, uuid))).toHaveProperty('rotation_request');
    expect(detailsOf(await decline(admin, uuid))).toHaveProperty('rotation_request');
  });

  test('allows another request', async () => {
    await withdraw(support, (await asked()).uuid);
    expect((await ask()).status).toBe(201);
  });
});

test('a member of two accounts sees only the requests of the account they work in', async () => {
  const { uuid } = await asked();
  const elsewhere = await api.account();
  const both = await addPerson(ctx, { name: 'Both' });
  await addMember(ctx, { accountId: elsewhere.id, personId: both.id, role: 'owner' });
  ctx.clock.advance(1);
  await addMember(ctx, { accountId: account.id, personId: both.id, role: 'admin' });
  const person = { personId: both.id, personName: 'Both', email: both.email };
  await withdraw(support, uuid);
  const mine = await asked({ member: both.id });
  expect(await listedFor(person)).toEqual([]);
  expect((await rotate(person, mine.uuid)).status).toBe(404);
});
