import { describe, expect, test } from 'vitest';
import type { Role } from '#lib/contract/rights/roles.ts';
import { hourMs } from '#lib/durations.ts';
import { mailOutcomes } from '../../../../domain/rotation-requests/outcomes/mail-outcomes.ts';
import { useRotationRequests } from '../../../../testing/api-keys/rotation-requests.ts';
import type { Member } from '../../../../testing/api-keys/rotation-requests.ts';
import { works } from '../../../../testing/api-keys/tokens.ts';
import { dataOf, detailsOf } from '../../../../testing/api.ts';
import { auditEntriesOf } from '../../../../testing/records/audit-log.ts';
import { addMember } from '../../../../testing/records/people.ts';

const { ctx, api, requests, account, owner, admin, support, viewer, key } = useRotationRequests();

describe('the members who can be asked', () => {
  test('for a full key are all other members who may see its token', async () => {
    const one = ({ personId: id, personName: name, email }: Member, role: Role) => ({
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
    const { uuid } = await requests.make({ by: owner, apiKey: id, member: support.personId });
    await letSupportSee('within_role');
    expect(await requests.uuidsFor(support)).toEqual([]);
    expect((await requests.rotate(support, uuid)).status).toBe(403);
  });

  test('never belong to another account', async () => {
    const elsewhere = await api.account();
    expect(await rotators(await elsewhere.member('owner'), (await elsewhere.key()).id)).toEqual([]);
  });
});

describe('asking for a rotation', () => {
  test('changes nothing about the key, is open for 72 hours, and is audited without the note', async () => {
    const note = 'The laptop was stolen.\r\nAsk Ida.';
    const response = await requests.ask({ reason: 'leaked', note });
    expect(response.status).toBe(201);
    expect(response.body).toEqual({
      success: true,
      data: {
        uuid: expect.any(String),
        act: 'rotate',
        target: { id: key.id, uuid: key.uuid, name: 'Production', last_four: key.lastFour },
        requested_by: { id: support.personId, name: 'Ida support' },
        member: { id: admin.personId, name: 'Ida admin' },
        reason: 'leaked',
        note: 'The laptop was stolen.\nAsk Ida.',
        state: 'open',
        created_at: ctx.clock.apiTime(),
        expires_at: ctx.clock.apiTime(72 * hourMs),
        mailed_at: ctx.clock.apiTime(),
        closed_at: null,
        closed_by: null,
        closed_because: null,
        decline: null,
      },
    });
    expect(await works(api, key.token)).toBe(true);
    const written = await auditEntriesOf(ctx, account.id);
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
    const { uuid } = await requests.make({ apiKey: id, reason: 'lost', note: 'Between us.' });
    const mails = ctx.mails.slice(before);
    expect(mails).toMatchObject([
      { to: admin.email, subject: 'You are asked to rotate the API key "Shop … by mistake"' },
    ]);
    const [greeting, what, facts, link, footer, ...rest] = mails[0]?.text.split('\n\n') ?? [];
    expect(greeting).toBe('Hello Ida admin,');
    expect(what).toBe(
      '"Ida support" asks you to rotate the API key "Shop … by mistake". Nothing changes until you do.',
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
    expect(footer).toContain('because somebody with access to this account asked you.');
    expect(rest).toEqual([]);
    expect(JSON.stringify(mails)).not.toContain('Between us');
  });

  test('names the key by its id or its uuid', async () => {
    const made = await requests.make({ apiKey: key.uuid });
    expect(made.target.id).toBe(key.id);
  });

  test('is also possible for those who could rotate the key themselves', async () => {
    expect((await requests.make({ by: owner })).requested_by.id).toBe(owner.personId);
  });

  test('is refused to a viewer and to an API key', async () => {
    expect((await requests.ask({ by: viewer })).status).toBe(403);
    const response = await key.get('/api/dashboard/rotation-requests');
    expect(response.status).toBe(403);
  });

  test('is refused if the named member is a viewer, a stranger or has a role that does not cover the key', async () => {
    const stranger = await (await api.account()).member('owner');
    const cases = [viewer.personId, stranger.personId, 'nobody', 'a\u0000b'];
    for (const member of [...cases, support.personId]) {
      const by = member === support.personId ? admin : support;
      expect(detailsOf(await requests.ask({ by, member }))).toEqual({
        member: ['Choose a member who may see the token of this key.'],
      });
    }
    expect(await requests.openFor(support)).toEqual([]);
  });

  test('is refused if the named member is the caller', async () => {
    const response = await requests.ask({ by: admin, member: admin.personId });
    expect(detailsOf(response)).toEqual({ member: ['Choose somebody else.'] });
  });

  test('refuses a reason it does not know, a note that is too long, and a token in the note, with its prefix or without', async () => {
    expect(detailsOf(await requests.ask({ reason: 'bored' }))).toHaveProperty('reason');
    expect(detailsOf(await requests.ask({ note: 'x'.repeat(501) }))).toHaveProperty('note');
    expect(detailsOf(await requests.ask({ note: 'a\u202eb' }))).toHaveProperty('note');
    for (const secret of [key.token, key.token.replace('sk_live_', '')]) {
      const note = `I found ${secret} in a repository`;
      const leaky = await requests.ask({ reason: 'leaked', note });
      expect(detailsOf(leaky)).toEqual({ note: ['Leave tokens and secrets out of the note.'] });
      expect(leaky.text).not.toContain(secret);
    }
  });

  test('keeps no empty note', async () => {
    expect((await requests.make({ note: '  ' })).note).toBeNull();
  });

  test('is refused while another request is open, and says who asked whom', async () => {
    const first = await requests.make();
    expect(detailsOf(await requests.ask({ by: owner }))).toEqual({
      api_key: [
        `Ida support already asked Ida admin to rotate this key. That request is open until ${first.expires_at}, unless it is withdrawn or declined before.`,
      ],
    });
  });

  test('because of a leak replaces one’s own open request for another reason, and withdraws that', async () => {
    const first = await requests.make({ reason: 'scheduled', member: owner.personId });
    const second = await requests.make({ reason: 'leaked' });
    expect(await requests.uuidsFor(support)).toEqual([second.uuid]);
    expect(await requests.rowOf(first)).toMatchObject({
      state: 'withdrawn',
      closedBy: { id: support.personId },
    });
    expect((await requests.audited()).slice(-3)).toEqual([
      'rotation_request.created by Ida support: Production',
      'rotation_request.withdrawn by Ida support: Production',
      'rotation_request.created by Ida support: Production',
    ]);
    await mailOutcomes(ctx);
    const subjects = ctx.mails.filter(({ to }) => to === owner.email).map(({ subject }) => subject);
    expect(subjects.at(-1)).toContain('was withdrawn');
  });

  test('because of a leak does not email the same member that they need not do anything', async () => {
    await requests.make({ reason: 'scheduled' });
    await requests.make({ reason: 'leaked' });
    await mailOutcomes(ctx);
    const subjects = ctx.mails.filter(({ to }) => to === admin.email).map(({ subject }) => subject);
    expect(subjects).toEqual([
      'You are asked to rotate the API key "Production"',
      'Leaked: the token of the API key "Production"',
    ]);
  });

  test('because of a leak is emailed to all owners and admins, with who reported it and the note', async () => {
    const before = ctx.mails.length;
    await requests.make({ reason: 'leaked', note: 'It is in a public repository.' });
    const mails = ctx.mails.slice(before);
    expect(mails.map(({ to }) => to).toSorted()).toEqual([admin.email, owner.email].toSorted());
    for (const { subject, text } of mails) {
      expect(subject).toBe('Leaked: the token of the API key "Production"');
      expect(text).toContain(`Reported by: Ida support (${support.email}, Support)\n`);
      expect(text).toContain('Note: It is in a public repository.\n');
    }
  });

  test('because of a leak is emailed, however many other emails the member got that day', async () => {
    for (let asked = 0; asked < 3; asked += 1) {
      const { uuid } = await requests.make({ reason: 'lost' });
      await requests.withdraw(support, uuid);
    }
    expect((await requests.make({ reason: 'leaked' })).mailed_at).not.toBeNull();
  });

  test('takes the place of a request that expired', async () => {
    const first = await requests.make();
    ctx.clock.advance(72 * hourMs);
    const second = await requests.make({ member: owner.personId });
    expect(await requests.uuidsFor(support)).toEqual([second.uuid]);
    expect(await requests.rowOf(first)).toMatchObject({ state: 'expired', closedBy: null });
  });

  test('takes the place of a request whose member left or may no longer do it', async () => {
    await requests.make();
    await requests.removeMember(admin);
    const second = await requests.make({ member: owner.personId });
    await addMember(ctx, { accountId: account.id, personId: admin.personId, role: 'owner' });
    await requests.setRole(owner, 'support');
    const third = await requests.make();
    expect(await requests.uuidsFor(support)).toEqual([third.uuid]);
    expect(await requests.rowOf(second)).toMatchObject({ state: 'expired' });
  });

  test('is refused for a revoked and an expired key', async () => {
    const soon = ctx.clock.apiTime(hourMs);
    const dying = await account.key({ expiresAt: soon });
    ctx.clock.advance(hourMs);
    expect(detailsOf(await requests.ask({ apiKey: dying.id }))).toHaveProperty('api_key');
    await owner.delete(`/api/v1/api-keys/${key.id}`);
    expect(detailsOf(await requests.ask())).toHaveProperty('api_key');
  });

  test('for a key that does not exist is a 404', async () => {
    expect((await requests.ask({ apiKey: crypto.randomUUID() })).status).toBe(404);
    expect((await requests.ask({ apiKey: 'x' })).status).toBe(404);
  });
});

async function rotators(member: Member, apiKey: number): Promise<unknown> {
  return dataOf<unknown>(await api.as(member).get(`/api/dashboard/api-keys/${apiKey}/rotators`));
}

async function letSupportSee(tokens: string): Promise<void> {
  const body = { support: { tokens } };
  expect((await owner.patch('/api/dashboard/account', body)).status).toBe(200);
}
