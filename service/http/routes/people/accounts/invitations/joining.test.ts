import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { hourMs } from '#lib/durations.ts';
import { sessions } from '../../../../../db/schema/people/sessions.ts';
import { dataOf, detailsOf } from '../../../../../testing/api.ts';
import { addAccount, addMember, addPerson } from '../../../../../testing/records/people.ts';
import { useInvitations } from '../../../../../testing/http/invitation-world.ts';
import type { SignedIn } from '../../../../../testing/http/invitation-world.ts';
import { password } from '../../../../../testing/http/test-person.ts';

const { ctx, world, owner, admin } = useInvitations();

describe('someone who has an account already', () => {
  test('joins as the person who is signed in, and keeps both accounts', async () => {
    const elsewhere = await addAccount(ctx, 'Elsewhere');
    const person = await world.addSignedIn('owner', elsewhere);
    // They joined the other account first.
    ctx.clock.advance(1000);
    await world.invite(admin, { email: person.email, role: 'support' });
    const token = world.mailedToken(person.email);
    expect(detailsOf(await world.accept(token))).toEqual({
      email: [`${person.email} already has an account. Sign in to accept this invitation.`],
    });
    const joined = await world.join(person, token);
    expect([joined.status, dataOf(joined)]).toEqual([
      201,
      { account: { id: world.accountId, name: 'Marlow & Finch' } },
    ]);
    expect(dataOf(await world.as(person).get('/api/dashboard/session'))).toMatchObject({
      account: { id: world.accountId },
      role: 'support',
      accounts: [{ name: 'Elsewhere' }, { name: 'Marlow & Finch' }],
    });
    expect(await world.signIn(person.email)).not.toBe('');
  });

  test('a person who was made a member in the meantime is told so', async () => {
    const person = await world.addSignedIn('owner', await addAccount(ctx, 'Elsewhere'));
    await world.invite(admin, { email: person.email });
    await addMember(ctx, { accountId: world.accountId, personId: person.id, role: 'viewer' });
    expect(detailsOf(await world.join(person, world.mailedToken(person.email)))).toEqual({
      invitation_token: ['You are already a member of this account. Sign in.'],
    });
  });
});

describe('someone who exists but belongs to no account', () => {
  async function addRemoved(): Promise<Omit<SignedIn, 'session'>> {
    const { id, email } = await addPerson(ctx, {
      passwordHash: await ctx.auth.hashPassword(password),
    });
    return { id, email };
  }

  test('signs in while an invitation for their address is open, and joins with it', async () => {
    const { email } = await addRemoved();
    expect((await world.tryToSignIn(email)).status).toBe(422);
    await world.invite(admin, { email, role: 'support' });
    const token = world.mailedToken(email);
    const session = await world.signIn(email);
    expect((await world.as({ session }).get('/api/dashboard/session')).status).toBe(401);
    expect(dataOf(await world.join({ session }, token))).toEqual({
      account: { id: world.accountId, name: 'Marlow & Finch' },
    });
    expect(dataOf(await world.as({ session }).get('/api/dashboard/session'))).toMatchObject({
      role: 'support',
    });
  });

  test('does not sign in once the invitation expired, was revoked, or is for someone else', async () => {
    const [expired, revoked, other] = await Promise.all([addRemoved(), addRemoved(), addRemoved()]);
    const { uuid } = dataOf(await world.invite(admin, { email: revoked.email }));
    await world.as(admin).delete(`/api/dashboard/invitations/${String(uuid)}`);
    await world.invite(admin, { email: expired.email });
    ctx.clock.advance(72 * hourMs);
    await world.invite({ ...owner, session: await world.signIn(owner.email) });
    for (const { id, email } of [expired, revoked, other]) {
      expect(detailsOf(await world.tryToSignIn(email))).toHaveProperty('email');
      expect(await ctx.db.$count(sessions, eq(sessions.personId, id))).toBe(0);
    }
  });
});
