import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { hourMs } from '#lib/durations.ts';
import { people } from '../../../../../db/schema/people/people.ts';
import { sessions } from '../../../../../db/schema/people/sessions.ts';
import { dataOf, detailsOf } from '../../../../../testing/api.ts';
import { addAccount, addMember, addPerson } from '../../../../../testing/records/people.ts';
import {
  useInvitations,
  another,
  linkedToken,
  newAddress,
} from '../../../../../testing/http/invitation-world.ts';
import type { SignedIn } from '../../../../../testing/http/invitation-world.ts';
import { password } from '../../../../../testing/http/test-person.ts';

const { ctx, world, owner, admin } = useInvitations();

describe('somebody who has an account already', () => {
  test('joins as the person who is signed in, and keeps both accounts', async () => {
    const elsewhere = await addAccount(ctx, 'Elsewhere');
    const person = await world.addSignedIn('owner', elsewhere);
    // They joined the other account first.
    ctx.clock.advance(1000);
    await world.invite(admin, { email: person.email, role: 'support' });
    const token = world.mailedToken(person.email);
    expect(detailsOf(await world.accept(token))).toEqual({
      email: [`${person.email} has an account already. Sign in to accept this invitation.`],
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

  test('nobody can join with the invitation of another person', async () => {
    const person = await world.addSignedIn('owner', await addAccount(ctx, 'Elsewhere'));
    await world.invite(admin, { email: person.email });
    const thief = await world.addSignedIn('owner', await addAccount(ctx, 'Thieves'));
    const response = await world.join(thief, world.mailedToken(person.email));
    expect(response.status).toBe(403);
    expect(response.text).toContain(`This invitation is for ${person.email}.`);
    expect(await world.roleOf(person.email)).toBeUndefined();
    expect((await world.join(person, world.mailedToken(person.email))).status).toBe(201);
  });

  test('a person who was made a member meanwhile is told so', async () => {
    const person = await world.addSignedIn('owner', await addAccount(ctx, 'Elsewhere'));
    await world.invite(admin, { email: person.email });
    await addMember(ctx, { accountId: world.accountId, personId: person.id, role: 'viewer' });
    expect(detailsOf(await world.join(person, world.mailedToken(person.email)))).toEqual({
      invitation_token: ['You are a member of this account already. Sign in.'],
    });
  });
});

describe('somebody who exists but belongs to no account', () => {
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

  test('does not sign in once the invitation expired, was revoked, or is for somebody else', async () => {
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

  test('can join only with their own invitation, and ends their session by signing out', async () => {
    const { id, email } = await addRemoved();
    await world.invite(admin, { email });
    const session = await world.signIn(email);
    const elsewhere = newAddress();
    await world.invite(admin, { email: elsewhere });
    expect((await world.join({ session }, world.mailedToken(elsewhere))).status).toBe(403);
    expect((await world.as({ session }).delete('/api/dashboard/session')).status).toBe(204);
    expect(await ctx.db.$count(sessions, eq(sessions.personId, id))).toBe(0);
    expect((await world.join({ session }, world.mailedToken(email))).status).toBe(401);
  });

  test('needs a fresh proof to choose a new password long after they signed in', async () => {
    const { id, email } = await addRemoved();
    await ctx.db.update(people).set({ isUnverified: true }).where(eq(people.id, id));
    const token = linkedToken(await world.invite(admin, { email, api: world.copying }));
    const session = await world.signIn(email);
    ctx.clock.advance(hourMs);
    const refused = await world.join({ session }, token, { new_password: another });
    expect([refused.status, refused.text.includes('PROOF_REQUIRED')]).toEqual([403, true]);
    const again = await world.signIn(email);
    expect((await world.join({ session: again }, token, { new_password: another })).status).toBe(
      201,
    );
  });
});
