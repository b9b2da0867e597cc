import { describe, expect, test } from 'vitest';
import { hourMs } from '#lib/durations.ts';
import { useRotationRequests } from '../../../../testing/api-keys/rotation-requests.ts';
import type { Member } from '../../../../testing/api-keys/rotation-requests.ts';
import { works } from '../../../../testing/api-keys/tokens.ts';
import { dataOf, detailsOf, refusedFields } from '../../../../testing/api.ts';
import { auditEntriesOf } from '../../../../testing/records/audit-log.ts';
import { addMember, addPerson } from '../../../../testing/records/people.ts';

const { ctx, api, requests, account, owner, admin, support, viewer, key } = useRotationRequests();

describe('the members who can be asked', () => {
  const rotators = async (member: Member, apiKey: number) =>
    dataOf<unknown>(await api.as(member).get(`/api/dashboard/api-keys/${apiKey}/rotators`));
  const letSupportSee = async (tokens: string) =>
    await owner.patch('/api/dashboard/account', { support: { tokens } });

  test('for a full key are all other members who may see its token', async () => {
    const one = ({ personId: id, personName: name, email }: Member, role: string) => ({
      id,
      name,
      email,
      role,
    });
    for (const member of [support, viewer]) {
      expect(await rotators(member, key.id)).toEqual([one(admin, 'admin'), one(owner, 'owner')]);
    }
    expect(await rotators(owner, key.id)).toEqual([one(admin, 'admin')]);
    const elsewhere = await api.account();
    expect(await rotators(await elsewhere.member('owner'), (await elsewhere.key()).id)).toEqual([]);
  });

  test('include support for a key within their role, or one whose token an owner lets them see', async () => {
    const both = [{ role: 'admin' }, { role: 'support' }];
    const { id: within } = await account.key({ scopes: ['webhooks:read'] });
    expect(await rotators(owner, within)).toMatchObject(both);
    const { id } = await account.key({ scopes: ['messages:write'] });
    expect(await rotators(owner, id)).toMatchObject([{ role: 'admin' }]);
    await letSupportSee('webhook_and_bot');
    expect(await rotators(owner, id)).toMatchObject(both);
    const { uuid } = await requests.make({ by: owner, apiKey: id, member: support.personId });
    await letSupportSee('within_role');
    expect(await requests.uuidsFor(support)).toEqual([]);
    expect((await requests.rotate(support, uuid)).status).toBe(403);
  });
});

describe('asking for a rotation', () => {
  test('changes nothing about the key, is open for 72 hours, and is audited without the note', async () => {
    const note = 'The laptop was stolen.\r\nAsk Ida.';
    const response = await requests.ask({ apiKey: key.uuid, reason: 'leaked', note });
    expect(response.status).toBe(201);
    expect(dataOf(response)).toEqual({
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
    expect(mails[0]?.text.split('\n\n')).toEqual([
      'Hello Ida admin,',
      '"Ida support" asks you to rotate the API key "Shop … by mistake". Nothing changes until you do.',
      expect.stringMatching(
        /^API key: Shop … by mistake\nAsked by: Ida support\nReason: The token is lost\nOpen until: .* UTC\nAccount: Marlow & Finch$/,
      ),
      `Open the request:\n${ctx.config.publicUrl.origin}/a/${account.id}/settings/rotation-requests/${uuid}`,
      expect.stringContaining('because someone with access to this account asked you.'),
    ]);
    expect(JSON.stringify(mails)).not.toContain('Between us');
  });

  test('is refused if the named member is the caller, a viewer, a stranger or has a role that does not cover the key', async () => {
    const stranger = await (await api.account()).member('owner');
    for (const member of [viewer.personId, stranger.personId, 'nobody', 'a\u0000b']) {
      expect(detailsOf(await requests.ask({ member }))).toEqual({
        member: ['Choose a member who may see the token of this key.'],
      });
    }
    expect(refusedFields(await requests.ask({ by: admin, member: support.personId }))).toEqual([
      'member',
    ]);
    expect(detailsOf(await requests.ask({ by: admin, member: admin.personId }))).toEqual({
      member: ['Choose someone else.'],
    });
    expect(await requests.openFor(support)).toEqual([]);
  });

  test('refuses a reason it does not know, a note that is too long, and a token in the note, with its prefix or without', async () => {
    expect(refusedFields(await requests.ask({ reason: 'bored' }))).toEqual(['reason']);
    expect(refusedFields(await requests.ask({ note: 'x'.repeat(501) }))).toEqual(['note']);
    expect(refusedFields(await requests.ask({ note: 'a\u202eb' }))).toEqual(['note']);
    for (const secret of [key.token, key.token.replace('sk_live_', '')]) {
      const note = `I found ${secret} in a repository`;
      const leaky = await requests.ask({ reason: 'leaked', note });
      expect(detailsOf(leaky)).toEqual({ note: ['Leave tokens and secrets out of the note.'] });
      expect(leaky.text).not.toContain(secret);
    }
    expect((await requests.make({ note: '  ' })).note).toBeNull();
  });

  test('is refused while another request is open, and says who asked whom', async () => {
    const { expires_at: end } = await requests.make();
    const asked = `asked Ida admin to rotate this key. That request is open until ${end}, unless it is withdrawn or declined before.`;
    expect(detailsOf(await requests.ask({ by: owner }))).toEqual({
      api_key: [`Ida support already ${asked}`],
    });
    expect(detailsOf(await requests.ask({ member: owner.personId }))).toEqual({
      api_key: [`You already ${asked}`],
    });
  });

  test('is refused for a revoked and an expired key', async () => {
    const dying = await account.key({ expiresAt: ctx.clock.apiTime(hourMs) });
    ctx.clock.advance(hourMs);
    expect(refusedFields(await requests.ask({ apiKey: dying.id }))).toEqual(['api_key']);
    await owner.delete(`/api/v1/api-keys/${key.id}`);
    expect(refusedFields(await requests.ask())).toEqual(['api_key']);
  });
});

describe('the list', () => {
  test('has the requests that one made or is named in, newest first, and no others', async () => {
    const other = await account.key();
    const made = await requests.make();
    ctx.clock.advance(1);
    const named = await requests.make({ by: owner, apiKey: other.id });
    expect(await requests.openFor(admin)).toEqual([named, made]);
    expect(await requests.uuidsFor(support)).toEqual([made.uuid]);
    expect(await requests.uuidsFor(owner)).toEqual([named.uuid]);
    expect(await requests.uuidsFor(viewer)).toEqual([]);
  });

  test('leaves out what can no longer be done', async () => {
    const dying = await account.key({ expiresAt: ctx.clock.apiTime(hourMs) });
    await requests.make({ apiKey: dying.id });
    const made = await requests.make();
    ctx.clock.advance(hourMs);
    expect(await requests.uuidsFor(support)).toEqual([made.uuid]);
    await requests.setRole(admin, 'support');
    expect(await requests.uuidsFor(support)).toEqual([]);
    await requests.setRole(admin, 'admin');
    ctx.clock.advance(71 * hourMs - 1);
    expect(await requests.uuidsFor(admin)).toEqual([made.uuid]);
    ctx.clock.advance(1);
    expect(await requests.uuidsFor(admin)).toEqual([]);
  });

  test('keeps a request if the person who made it left, because its reason still applies', async () => {
    const { uuid } = await requests.make();
    await requests.removeMember(support);
    expect(await requests.uuidsFor(admin)).toEqual([uuid]);
    expect((await requests.rotate(admin, uuid)).status).toBe(201);
  });

  test('has for a member of two accounts only the requests of the account they work in', async () => {
    const both = await addPerson(ctx, { name: 'Both' });
    const person = { personId: both.id, personName: 'Both', email: both.email };
    const elsewhere = await api.account();
    await addMember(ctx, { accountId: elsewhere.id, personId: both.id, role: 'owner' });
    ctx.clock.advance(1);
    await addMember(ctx, { accountId: account.id, personId: both.id, role: 'admin' });
    const { uuid } = await requests.make({ member: both.id });
    expect(await requests.openFor(person)).toEqual([]);
    expect((await requests.rotate(person, uuid)).status).toBe(404);
  });
});
