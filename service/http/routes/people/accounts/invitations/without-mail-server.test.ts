import { and, eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { auditEntries } from '../../../../../db/schema/audit.ts';
import { people } from '../../../../../db/schema/people/people.ts';
import { passkeys } from '../../../../../db/schema/people/second-factors.ts';
import type { AccountId } from '../../../../../domain/account-id.ts';
import { dataOf, detailsOf } from '../../../../../testing/api.ts';
import { addAccount } from '../../../../../testing/records/people.ts';
import { addPasskey } from '../../../../../testing/records/second-factors.ts';
import {
  useInvitations,
  another,
  linkedToken,
  newAddress,
} from '../../../../../testing/http/invitation-world.ts';
import { passwordIn, runCommand } from '../../../../../testing/admin-commands.ts';
import { password, tokenIn } from '../../../../../testing/http/test-person.ts';

const { ctx, world, owner, admin } = useInvitations();

describe('without a mail server', () => {
  test('the link is shown to the person who invites, once, and nothing is emailed', async () => {
    const email = newAddress();
    const response = await world.invite(admin, { email, api: world.copying });
    expect(dataOf(response)).toMatchObject({ was_mailed: false });
    expect(String(dataOf(response)['link'])).toMatch(/^http.*\/invitation#[\w-]{43}$/);
    expect(world.mailedToken(email)).toBe('');
    expect(JSON.stringify(await world.list(owner))).not.toContain(linkedToken(response));
    expect((await world.accept(linkedToken(response))).status).toBe(201);
  });

  /** Invites an address, accepts the invitation in its name, and waits, as a thief would. */
  async function takeAddress(email: string): Promise<{ thief: string; elsewhere: AccountId }> {
    const elsewhere = await addAccount(ctx, 'Thieves');
    const host = await world.addSignedIn('owner', elsewhere);
    const { link } = dataOf(await world.invite(host, { email, api: world.copying })) as {
      link?: string;
    };
    const accepted = await world.accept(String(link).split('#')[1] ?? '', { password: password });
    return { thief: tokenIn(accepted), elsewhere };
  }

  test('someone who took an address before loses it to the person who reads its email', async () => {
    const email = newAddress();
    const { thief } = await takeAddress(email);
    await world.invite(admin, { email, role: 'admin' });
    const token = world.mailedToken(email);
    expect(
      detailsOf(await world.join({ session: thief }, token, { new_password: another })),
    ).toEqual({
      invitation_token: ['Sign out, then open the link again to choose a password.'],
    });
    expect((await world.accept(token)).status).toBe(201);
    expect((await world.as({ session: thief }).get('/api/dashboard/session')).status).toBe(401);
    expect((await world.tryToSignIn(email)).status).toBe(422);
    expect(await world.roleOf(email)).toBe('admin');
    // From now on the address is theirs.
    await world.invite(await world.addSignedIn('owner', await addAccount(ctx, 'Third')), { email });
    expect(detailsOf(await world.accept(world.mailedToken(email)))).toHaveProperty('email');
  });

  test('someone who took an address by changing theirs loses it to the person who reads its email', async () => {
    const email = newAddress();
    const thief = await world.addSignedIn('owner', await addAccount(ctx, 'Thieves'));
    const changes = '/api/dashboard/email-change';
    const use = async (name: string, token: string | undefined) =>
      await world.mailing.asNobody().post(`${changes}/${name}`, {
        [name === 'confirmation' ? 'confirm_token' : 'revoke_token']: token,
      });
    await world.as(thief, world.copying).post(changes, { email });
    const links = ctx.mails.map(({ text }) => text).join('\n');
    const [, confirmToken] = /confirm-email#([\w-]+)/.exec(links) ?? [];
    const [, revokeToken] = /revoke-email-change#([\w-]+)/.exec(links) ?? [];
    expect((await use('confirmation', confirmToken)).status).toBe(200);

    await world.invite(admin, { email, role: 'admin' });
    const token = world.mailedToken(email);
    expect((await world.accept(token)).status).toBe(201);
    expect((await use('revocation', revokeToken)).status).toBe(422);
    expect(await world.roleOf(email)).toBe('admin');
  });

  describe('someone who took an address before loses it once an operator gives its owner a place', () => {
    const command = async (...args: string[]) => await runCommand(ctx, ...args);

    async function personOf(email: string) {
      const [person] = await ctx.db.select().from(people).where(eq(people.email, email));
      if (!person) throw new Error(`nobody is ${email}`);
      return person;
    }

    test.each([
      ['add-member', (email: string) => ['add-member', world.accountId, email, 'owner']],
      ['add-support', (email: string) => ['add-support', email]],
      ['create-account', (email: string) => ['create-account', 'Corp', email]],
    ])('with %s', async (_name, args) => {
      const email = newAddress();
      const { thief } = await takeAddress(email);
      const { id } = await personOf(email);
      await addPasskey(ctx, id);

      const { exitCode, text } = await command(...args(email));
      expect(exitCode).toBe(0);
      expect(text).toContain('Nobody had verified that this email address is theirs');
      const mail = ctx.mails.at(-1);
      expect(mail).toMatchObject({ to: email, subject: 'Your password was reset' });
      expect(mail?.text).toContain('nobody had verified that this address is yours');
      expect((await world.as({ session: thief }).get('/api/dashboard/session')).status).toBe(401);
      expect((await world.tryToSignIn(email)).status).toBe(422);
      expect(await ctx.db.$count(passkeys, eq(passkeys.personId, id))).toBe(0);
      expect(await world.signIn(email, passwordIn(text))).not.toBe('');
      expect(await personOf(email)).toMatchObject({ isUnverified: false });

      // From now on the address is theirs.
      const again = await command('create-account', 'Another', email);
      expect(again.text).toContain('They sign in with the password they have.');
    });

    test('with a new role, and every account’s audit log says so', async () => {
      const email = newAddress();
      const { thief, elsewhere } = await takeAddress(email);
      expect(await command('add-member', elsewhere, email, 'viewer')).toMatchObject({
        text: expect.stringContaining('Nothing changed.'),
      });
      expect((await world.as({ session: thief }).get('/api/dashboard/session')).status).toBe(200);
      const { text } = await command('add-member', elsewhere, email, 'owner');
      expect(text).toMatch(/^Changed the role of .* from viewer to owner\. Nobody had verified/);
      expect((await world.as({ session: thief }).get('/api/dashboard/session')).status).toBe(401);
      const entries = await ctx.db
        .select()
        .from(auditEntries)
        .where(
          and(
            eq(auditEntries.accountId, elsewhere),
            eq(auditEntries.action, 'person.access_reset'),
          ),
        );
      expect(entries).toMatchObject([
        { actor: { name: 'Operator' }, changes: { ended_sessions: 1, passkeys: 0 } },
      ]);
    });
  });

  test('a copied link alone takes over nobody, and joining with it needs a new password', async () => {
    const email = newAddress();
    const { thief: person, elsewhere } = await takeAddress(email);
    const other = await world.signIn(email);
    const token = linkedToken(await world.invite(admin, { email, api: world.copying }));
    expect(detailsOf(await world.accept(token))).toHaveProperty('email');
    expect(detailsOf(await world.join({ session: person }, token))).toEqual({
      new_password: ['Choose a new password to join.'],
    });
    expect((await world.join({ session: person }, token, { new_password: another })).status).toBe(
      201,
    );
    expect((await world.as({ session: other }).get('/api/dashboard/session')).status).toBe(401);
    expect((await world.as({ session: person }).get('/api/dashboard/session')).status).toBe(200);
    expect(await world.roleOf(email)).toBe('viewer');
    expect(await world.roleOf(email, elsewhere)).toBe('viewer');
    expect(await world.signIn(email, another)).not.toBe('');
  });
});
