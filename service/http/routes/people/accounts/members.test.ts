import { and, eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import type { Role } from '#lib/contract/rights/roles.ts';
import { dayMs } from '#lib/durations.ts';
import { formatApiTime } from '#lib/time.ts';
import { accounts } from '../../../../db/schema/people/accounts.ts';
import { auditEntries } from '../../../../db/schema/audit.ts';
import { members } from '../../../../db/schema/people/members.ts';
import { sessions } from '../../../../db/schema/people/sessions.ts';
import type { PersonActor } from '../../../../domain/actor.ts';
import { dataOf, detailsOf, itemsOf } from '../../../../testing/api.ts';
import type { ApiResponse } from '../../../../testing/api.ts';
import { addAccount, addMember, addPerson } from '../../../../testing/records/people.ts';
import { addApp } from '../../../../testing/records/second-factors.ts';
import { addSession } from '../../../../testing/sessions.ts';
import { useApi } from '../../../../testing/use-api.ts';

const { ctx, api, account, owner, admin, support, viewer } = useApi({ accountFor: 'test' });

const path = '/api/dashboard/members';

type Person = Pick<PersonActor, 'personId'>;

async function call(
  person: Person,
  method: string,
  below = '',
  body?: unknown,
): Promise<ApiResponse> {
  return await api.as({ ...person, pageOf: account.id }).call(method, `${path}${below}`, { body });
}

async function setRole(by: Person, of: Person, role: Role): Promise<ApiResponse> {
  return await call(by, 'PATCH', `/${of.personId}`, { role });
}

async function anotherOwner(): Promise<Person> {
  const { id } = await addPerson(ctx, { name: 'Second owner' });
  await addMember(ctx, { accountId: account.id, personId: id, role: 'owner' });
  return { personId: id };
}

async function rolesNow(): Promise<Record<string, Role>> {
  const rows = await ctx.db.select().from(members).where(eq(members.accountId, account.id));
  return Object.fromEntries(rows.map(({ personId, role }) => [personId, role]));
}

async function auditOf(action: string) {
  return await ctx.db
    .select()
    .from(auditEntries)
    .where(and(eq(auditEntries.accountId, account.id), eq(auditEntries.action, action)))
    .orderBy(auditEntries.id);
}

describe('the members of an account', () => {
  test('are listed by name, with roles, without members of other accounts', async () => {
    await api.account();
    const shown = itemsOf(await call(viewer, 'GET'));
    expect(shown.map(({ name, role }) => [name, role])).toEqual([
      ['Ida admin', 'admin'],
      ['Ida owner', 'owner'],
      ['Ida support', 'support'],
      ['Ida viewer', 'viewer'],
    ]);
  });

  test('show when and with which browser each last used this account, to the minute', async () => {
    const other = await addAccount(ctx, 'Elsewhere');
    await addMember(ctx, { accountId: other, personId: viewer.personId, role: 'owner' });
    const seen = async () => {
      const shown = itemsOf(await call(owner, 'GET'));
      return shown.find(({ name }) => name === 'Ida viewer')?.['last_seen_at'];
    };
    await api.as({ ...viewer, pageOf: other }).get(path);
    expect(await seen()).toBeNull();
    await call(viewer, 'GET');
    const first = await seen();
    expect(first).not.toBeNull();
    ctx.clock.advance(59_000);
    await call(viewer, 'GET');
    expect(await seen()).toBe(first);
    ctx.clock.advance(1000);
    await call(viewer, 'GET');
    expect(await seen()).not.toBe(first);
  });
});

describe('the role of a member', () => {
  test('can be changed by owners and admins, takes effect immediately, and is audited with its previous value', async () => {
    expect(dataOf(await setRole(admin, viewer, 'support'))).toMatchObject({ role: 'support' });
    expect((await viewer.get('/api/dashboard/rotation-requests')).status).toBe(200);
    await setRole(owner, viewer, 'support');
    expect(await auditOf('member.role_changed')).toMatchObject([
      {
        actor: { id: admin.personId },
        target: { kind: 'person', id: viewer.personId, name: 'Ida viewer' },
        changes: { email: viewer.email, role: 'support', previous_role: 'viewer' },
      },
    ]);
  });

  test('of owner can be given, changed and taken away by owners only', async () => {
    const second = await anotherOwner();
    const before = await rolesNow();
    const refused = [
      await setRole(admin, viewer, 'owner'),
      await setRole(admin, admin, 'owner'),
      await setRole(admin, second, 'admin'),
      await call(admin, 'DELETE', `/${second.personId}`),
    ];
    for (const response of refused) {
      expect(response.status).toBe(403);
      expect(response.text).toContain('Only an owner can make someone an owner');
    }
    expect(await rolesNow()).toEqual(before);
    expect((await setRole(owner, second, 'admin')).status).toBe(200);
    expect((await setRole(owner, viewer, 'owner')).status).toBe(200);
  });

  test('of the last owner cannot be changed, no matter who asks', async () => {
    expect(detailsOf(await setRole(owner, owner, 'admin'))).toEqual({
      role: ['This is the only owner. Make another member an owner first.'],
    });
    await anotherOwner();
    expect((await setRole(owner, owner, 'admin')).status).toBe(200);
    expect((await setRole(owner, viewer, 'owner')).status).toBe(403);
  });
});

describe('a member who is removed', () => {
  test('can do nothing in the account from the next call on, and is signed out there', async () => {
    await signedInAt(viewer, [account.id, null]);
    expect((await call(admin, 'DELETE', `/${viewer.personId}`)).status).toBe(204);
    expect((await call(viewer, 'GET')).status).toBe(401);
    expect(await openSessionsOf(viewer)).toBe(0);
    expect(await auditOf('member.removed')).toMatchObject([
      {
        actor: { id: admin.personId },
        target: { id: viewer.personId, name: 'Ida viewer' },
        changes: { email: viewer.email, role: 'viewer', ended_sessions: 2 },
      },
    ]);
  });

  test('can continue in other accounts, in the sessions that work there', async () => {
    ctx.clock.advance(1000);
    const other = await addAccount(ctx, 'Elsewhere');
    await addMember(ctx, { accountId: other, personId: viewer.personId, role: 'admin' });
    await signedInAt(viewer, [account.id, other]);
    await call(admin, 'DELETE', `/${viewer.personId}`);
    expect((await call(viewer, 'GET')).status).toBe(404);
    expect((await api.as({ ...viewer, pageOf: other }).get(path)).status).toBe(200);
    expect(await openSessionsOf(viewer)).toBe(1);
  });

  test('cannot be the caller', async () => {
    expect(detailsOf(await call(admin, 'DELETE', `/${admin.personId}`))).toEqual({
      member: ['This is you. Leave the account instead.'],
    });
  });

  test('leaves no open rotation request behind, which would block its key', async () => {
    const { id } = await account.key();
    const request = (by: PersonActor, member: PersonActor) =>
      api.as(by).post(`/api/dashboard/api-keys/${id}/rotation-requests`, {
        member: member.personId,
        reason: 'lost',
      });
    expect((await request(support, admin)).status).toBe(201);
    expect((await request(owner, admin)).status).toBe(422);
    await call(owner, 'DELETE', `/${admin.personId}`);
    expect((await request(support, owner)).status).toBe(201);
    await call(owner, 'DELETE', `/${support.personId}`);
    const open = await owner.get('/api/dashboard/rotation-requests');
    expect(itemsOf(open)).toEqual([]);
    expect(await auditOf('rotation_request.withdrawn')).toHaveLength(2);
  });
});

describe('what was shown to a member', () => {
  test('is listed as long as it works: tokens by their last four, secrets by their webhook', async () => {
    const kept = await account.key({ name: 'Kept' });
    const revoked = await account.key({ name: 'Revoked' });
    const rotate = async (key: { id: number }, by: PersonActor, body: object = {}) =>
      String(dataOf(await api.as(by).post(`/api/v1/api-keys/${key.id}/rotate`, body))['token']);
    const older = await rotate(kept, admin);
    const newest = await rotate(kept, admin);
    const usedByOthers = await rotate(await account.key({ name: 'Others' }), owner);
    await rotate(revoked, admin);
    await owner.delete(`/api/v1/api-keys/${revoked.id}`);
    const webhook = await account.webhook({ name: 'Orders' });
    await admin.post(`/api/v1/webhooks/${webhook.id}/regenerate-secret`, {});

    const response = await call(owner, 'GET', `/${admin.personId}/shown-secrets`);
    const { tokens, signing_secrets: secrets } = dataOf(response) as unknown as {
      tokens: { last_four: string; api_key: { name: string } }[];
      signing_secrets: object[];
    };
    // The older token was never used, so the next rotation replaced it.
    expect(tokens.map(({ last_four: lastFour, api_key: { name } }) => [lastFour, name])).toEqual([
      [newest.slice(-4), 'Kept'],
    ]);
    expect(secrets).toMatchObject([{ webhook: { name: 'Orders' }, valid_until: null }]);
    for (const token of [older, newest, usedByOthers]) expect(response.text).not.toContain(token);
    expect(response.text).not.toContain('whsec_');
  });

  test('ends with its grace period, or with its key if that is sooner', async () => {
    const inSeconds = (seconds: number) =>
      formatApiTime(new Date(ctx.clock.now().getTime() + seconds * 1000));
    const key = await account.key();
    const rotated = await admin.post(`/api/v1/api-keys/${key.id}/rotate`, {});
    const token = String(dataOf(rotated)['token']);
    await api.call('GET', '/api/v1/api-key', { token });
    await owner.post(`/api/v1/api-keys/${key.id}/rotate`, { grace_period_seconds: 3600 });
    const shown = async () =>
      dataOf(await call(owner, 'GET', `/${admin.personId}/shown-secrets`))['tokens'];
    expect(await shown()).toMatchObject([{ valid_until: inSeconds(3600) }]);
    await owner.patch(`/api/v1/api-keys/${key.id}`, { expires_at: inSeconds(1800) });
    expect(await shown()).toMatchObject([{ valid_until: inSeconds(1800) }]);
    ctx.clock.advance(1_800_000);
    expect(await shown()).toEqual([]);
  });
});

describe('leaving an account', () => {
  test('makes someone a former member, whom the filter of the audit log offers until they return', async () => {
    const former = async () =>
      itemsOf(await owner.get('/api/dashboard/former-members')).map(({ name }) => name);
    expect(await former()).toEqual([]);
    await call(support, 'POST', '/leave');
    await call(owner, 'DELETE', `/${admin.personId}`);
    expect(await former()).toEqual(['Ida admin', 'Ida support']);
    await addMember(ctx, { accountId: account.id, personId: support.personId, role: 'viewer' });
    expect(await former()).toEqual(['Ida admin']);
  });

  test('is possible for every role, ends all rights there, and is audited', async () => {
    for (const person of [admin, support, viewer]) {
      const response = await call(person, 'POST', '/leave');
      expect([response.status, dataOf(response)]).toEqual([200, { has_other_accounts: false }]);
      expect((await call(person, 'GET')).status).toBe(401);
    }
    expect((await auditOf('member.left')).map(({ actor }) => actor.id)).toEqual(
      [admin, support, viewer].map(({ personId }) => personId),
    );
  });

  test('keeps the person signed in where they have another account', async () => {
    ctx.clock.advance(1000);
    const other = await addAccount(ctx, 'Elsewhere');
    await addMember(ctx, { accountId: other, personId: viewer.personId, role: 'admin' });
    await signedInAt(viewer, [account.id, null]);
    expect(dataOf(await call(viewer, 'POST', '/leave'))).toEqual({ has_other_accounts: true });
    expect(await openSessionsOf(viewer)).toBe(2);
    expect((await viewer.get(path)).status).toBe(200);
  });

  test('signs out a person who can open no other account: only its owners can open one that is being deleted', async () => {
    const deleted = await addAccount(ctx, 'Deleted');
    await ctx.db
      .update(accounts)
      .set({ deletedAt: ctx.clock.now() })
      .where(eq(accounts.id, deleted));
    await addMember(ctx, { accountId: deleted, personId: viewer.personId, role: 'admin' });
    await addMember(ctx, { accountId: deleted, personId: admin.personId, role: 'owner' });
    for (const person of [viewer, admin]) await signedInAt(person, [account.id]);
    expect(dataOf(await call(viewer, 'POST', '/leave'))).toEqual({ has_other_accounts: false });
    expect(await openSessionsOf(viewer)).toBe(0);
    expect(dataOf(await call(admin, 'POST', '/leave'))).toEqual({ has_other_accounts: true });
    expect(await openSessionsOf(admin)).toBe(1);
  });

  test('is refused to the last owner, who is told what to do', async () => {
    expect(detailsOf(await call(owner, 'POST', '/leave'))).toEqual({
      member: ['You are the only owner. Make another member an owner first.'],
    });
    await anotherOwner();
    expect((await call(owner, 'POST', '/leave')).status).toBe(200);
  });
});

test('of two owners who remove each other at the same time, one stays', async () => {
  const second = await anotherOwner();
  await Promise.all([
    call(owner, 'DELETE', `/${second.personId}`),
    call(second, 'DELETE', `/${owner.personId}`),
  ]);
  const left = Object.values(await rolesNow()).filter((role) => role === 'owner');
  expect(left).toHaveLength(1);
});

/** Sessions that chose these accounts; null: none. */
async function signedInAt(
  { personId }: Person,
  accountIds: readonly (string | null)[],
): Promise<void> {
  for (const chosenAccountId of accountIds) await addSession(ctx, { personId, chosenAccountId });
}

async function openSessionsOf({ personId }: Person): Promise<number> {
  return (await ctx.db.select().from(sessions).where(eq(sessions.personId, personId))).length;
}

describe('a member is told by email', () => {
  const told = (kind: string) =>
    ctx.mails.filter((mail) => mail.kind === kind && mail.to === viewer.email);

  test('that their role was changed, and by whom, but not that it stayed the same', async () => {
    await setRole(owner, viewer, 'support');
    await setRole(owner, viewer, 'support');
    await ctx.mail.close();
    const [mail, ...others] = told('member.role_changed');
    expect(others).toEqual([]);
    expect(mail?.text).toMatch(/Role: +Support\n.*Before: +Viewer\n.*Changed by: +Ida owner/s);
  });

  test('that they were removed', async () => {
    await call(admin, 'DELETE', `/${viewer.personId}`);
    expect(told('member.removed')).toMatchObject([
      { subject: 'You were removed from "Marlow & Finch"' },
    ]);
  });
});

describe('reminding a member of a required second factor', () => {
  const remind = async (of: Person) => await call(admin, 'POST', `/${of.personId}/remind`);
  const mailsTo = (email: string) => ctx.mails.filter(({ to }) => to === email);

  test('emails them once a day, says who did, and is audited', async () => {
    const { id } = await addPerson(ctx, { name: 'Kim', email: `kim-${account.id}@example.com` });
    await addMember(ctx, { accountId: account.id, personId: id, role: 'viewer' });
    const kim = { personId: id };
    // A refusal does not count as the reminder of the day.
    expect(detailsOf(await remind(kim))).toHaveProperty('member');
    const from = ctx.clock.apiTime(30 * dayMs);
    await ctx.db
      .update(accounts)
      .set({ secondFactorRequiredFrom: new Date(from) })
      .where(eq(accounts.id, account.id));
    expect((await remind(kim)).status).toBe(204);
    const [mail, ...others] = mailsTo(`kim-${account.id}@example.com`);
    expect(others).toEqual([]);
    expect(mail?.subject).toBe('Your account requires a second factor');
    expect(mail?.text).toContain('Reminded by: Ida admin');
    expect(await auditOf('member.reminded')).toMatchObject([
      { target: { id }, changes: { second_factor_required_from: from } },
    ]);
    expect((await remind(kim)).status).toBe(429);
    ctx.clock.advance(dayMs);
    expect((await remind(kim)).status).toBe(204);
    await addApp(ctx, { personId: id, email: 'kim@example.com' });
    ctx.clock.advance(dayMs);
    expect(detailsOf(await remind(kim))).toHaveProperty('member');
  });

  test('is refused to support and viewers, and not found for someone who is no member', async () => {
    for (const by of [support, viewer]) {
      const response = await call(by, 'POST', `/${admin.personId}/remind`);
      expect(response.status).toBe(403);
    }
    expect((await remind({ personId: 'nobody' })).status).toBe(404);
  });
});
