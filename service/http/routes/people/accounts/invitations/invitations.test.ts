import { describe, expect, test } from 'vitest';
import { hourMs } from '#lib/durations.ts';
import { invitations } from '../../../../../db/schema/people/members.ts';
import { dataOf, detailsOf } from '../../../../../testing/api.ts';
import { addAccount } from '../../../../../testing/records/people.ts';
import { useInvitations, newAddress, spent } from '../../../../../testing/http/invitation-world.ts';
import { tokenIn } from '../../../../../testing/http/test-person.ts';

const { ctx, world, owner, admin } = useInvitations();

describe('an invitation', () => {
  test('is emailed to its address with a link that no response, list, audit entry or table contains', async () => {
    const email = newAddress();
    const response = await world.invite(admin, { email, role: 'support' });
    expect(response.status).toBe(201);
    expect(dataOf(response)).toMatchObject({
      email,
      role: 'support',
      was_mailed: true,
      link: null,
    });
    const token = world.mailedToken(email);
    expect(token).toHaveLength(43);
    const shown = await world.list(owner);
    expect(shown).toMatchObject([{ email, role: 'support', invited_by: { name: 'Ida admin' } }]);
    const entries = await world.audited('invitation.created');
    expect(entries).toMatchObject([{ actor: { id: admin.id }, target: { name: email } }]);
    const stored = await ctx.db.select().from(invitations);
    expect(JSON.stringify([response.body, shown, entries, stored])).not.toContain(token);
  });

  test('shows its content to anyone with its link, without being used up, and not whether someone has its address', async () => {
    const person = await world.addSignedIn('owner', await addAccount(ctx, 'Elsewhere'));
    for (const email of [newAddress(), person.email]) {
      await world.invite(admin, { email, role: 'support' });
      const token = world.mailedToken(email);
      expect(dataOf(await world.check(token))).toEqual({
        account_name: 'Marlow & Finch',
        invited_by: 'Ida admin',
        email,
        role: 'support',
        expires_at: ctx.clock.apiTime(72 * hourMs),
      });
    }
  });

  test('makes a new person a member and signs them in, once', async () => {
    const email = newAddress();
    await world.invite(admin, { email, role: 'support' });
    const token = world.mailedToken(email);
    const response = await world.accept(token);
    expect(response.status).toBe(201);
    const session = await world.as({ session: tokenIn(response) }).get('/api/dashboard/session');
    expect(dataOf(session)).toMatchObject({
      person: { name: 'Mika Sato', email },
      account: { id: world.accountId },
      role: 'support',
    });
    expect(await world.list(owner)).toEqual([]);
    expect(detailsOf(await world.accept(token))).toEqual(spent);
    expect(detailsOf(await world.check(token))).toEqual(spent);
    expect(await world.audited('member.added')).toMatchObject([
      { changes: { email, role: 'support', invited_by: 'Ida admin' } },
    ]);
  });

  test('that is accepted is announced by email to those who manage the team, and to nobody else', async () => {
    const email = newAddress();
    await world.invite(admin, { email, role: 'support' });
    const before = ctx.mails.length;
    await world.accept(world.mailedToken(email));
    const told = ctx.mails.slice(before).filter(({ kind }) => kind === 'member.joined');
    const managers = [owner, admin].map((each) => each.email);
    expect(told.map(({ to }) => to).toSorted()).toEqual(managers.toSorted());
    expect(told[0]?.subject).toBe('Your team has a new member: "Mika Sato"');
    expect(told[0]?.text).toMatch(
      /\nName: Mika Sato\nEmail address: .+\nRole: Support\nAdded by: Ida admin\nAccount: /,
    );
    expect(told[0]?.action.url).toMatch(new RegExp(`/a/${world.accountId}/settings/team$`));
  });

  test('is accepted by only one of two people who try at the same time', async () => {
    const email = newAddress();
    await world.invite(admin, { email });
    const token = world.mailedToken(email);
    const statuses = (await Promise.all([world.accept(token), world.accept(token)])).map(
      ({ status }) => status,
    );
    expect(statuses.toSorted((a, b) => a - b)).toEqual([201, 422]);
  });

  test('works for 72 hours', async () => {
    const email = newAddress();
    await world.invite(admin, { email });
    ctx.clock.advance(72 * hourMs - 1);
    expect((await world.check(world.mailedToken(email))).status).toBe(200);
    ctx.clock.advance(1);
    expect(detailsOf(await world.check(world.mailedToken(email)))).toEqual(spent);
    expect(detailsOf(await world.accept(world.mailedToken(email)))).toEqual(spent);
  });

  test('sent again has a new link for another 72 hours, and the previous link is invalid', async () => {
    const email = newAddress();
    const { uuid } = dataOf(await world.invite(admin, { email }));
    const first = world.mailedToken(email);
    ctx.clock.advance(80 * hourMs);
    const again = await world.signIn(owner.email);
    expect(
      (await world.as({ session: again }).post(`/api/dashboard/invitations/${String(uuid)}/renew`))
        .status,
    ).toBe(201);
    expect(detailsOf(await world.check(first))).toEqual(spent);
    expect((await world.accept(world.mailedToken(email))).status).toBe(201);
  });

  test('that is revoked is audited once', async () => {
    const { uuid } = dataOf(await world.invite(admin));
    const path = `/api/dashboard/invitations/${String(uuid)}`;
    expect((await world.as(admin).delete(path)).status).toBe(204);
    expect((await world.as(admin).delete(path)).status).toBe(404);
    expect(await world.audited('invitation.revoked')).toHaveLength(1);
  });

  test('exists once for an address, never for a member, and at most 50 times an hour', async () => {
    const email = newAddress();
    await world.invite(admin, { email });
    expect(detailsOf(await world.invite(admin, { email: email.toUpperCase() }))).toEqual({
      email: ['This person is already invited. Send the invitation again instead.'],
    });
    expect(detailsOf(await world.invite(admin, { email: owner.email }))).toEqual({
      email: ['This person is already a member.'],
    });
    for (let made = 3; made < 49; made += 1) await world.invite(admin);
    expect((await world.invite(admin)).status).toBe(201);
    expect((await world.invite(admin)).status).toBe(429);
  });

  test('says what is missing, and stays valid until it is accepted', async () => {
    const email = newAddress();
    await world.invite(admin, { email });
    const token = world.mailedToken(email);
    for (const wrong of [
      { name: undefined },
      { password: email },
      { name: undefined, password: 'password1234' },
      { name: undefined, password: 'short' },
      { name: '', password: 'password1234' },
      { name: '', password: email },
      { unknown: 1, password: 'Marlow & Finch 2026' },
    ]) {
      const refused = detailsOf(await world.accept(token, wrong));
      expect(Object.keys(refused).toSorted(), JSON.stringify(wrong)).toEqual(
        Object.keys(wrong).toSorted(),
      );
    }
    // Whether a password is weak is judged only for someone who has a link.
    const withoutLink = await world.accept('x', { name: '', password: 'password1234' });
    expect(Object.keys(detailsOf(withoutLink)).toSorted()).toEqual(['invitation_token', 'name']);
    expect((await world.accept(token)).status).toBe(201);
  });
});
