import { eq } from 'drizzle-orm';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { PasskeyAttestation } from '#lib/contract/people/second-factors.ts';
import { minuteMs } from '#lib/durations.ts';
import { members } from '../../../db/schema/people/members.ts';
import { emailChanges } from '../../../db/schema/people/people.ts';
import { passkeys } from '../../../db/schema/people/second-factors.ts';
import { pendingSignIns, sessions } from '../../../db/schema/people/sessions.ts';
import type { TestContext } from '../../../testing/context.ts';
import { addAccount, addMember, addPerson } from '../../../testing/records/people.ts';
import { addApp } from '../../../testing/records/second-factors.ts';
import { SoftwareAuthenticator } from '../../../testing/software-authenticator.ts';
import { useContext } from '../../../testing/use-api.ts';
import { mintAccountId } from '../../account-id.ts';
import type { PersonActor } from '../../actor.ts';
import { requestEmailChange } from '../email-changes/request-email-change.ts';
import { createInvitation } from '../invitations/create-invitation.ts';
import { joinAccount } from '../invitations/accept-invitation.ts';
import { changePassword } from '../passwords/change-password.ts';
import { resetAccess, resetFactors } from '../members/operator/reset-access.ts';
import { addPasskey, startPasskey } from '../second-factors/passkeys/add-passkey.ts';
import { signIn } from '../sign-in/sign-in.ts';
import { confirmIdentity } from './confirm-identity.ts';
import { findPersonActor } from './find-person.ts';

/** State that is checked before a transaction, and that someone else changes before it begins. */
const password = 'correct horse battery';
const chosen = 'a staple that nobody knows';
const origin = { ip: '203.0.113.7', userAgent: null, requestId: 'test' };

const ctx = useContext();
let passwordHash: string;
let personId: string;
let email: string;

beforeAll(async () => {
  passwordHash = await ctx.auth.hashPassword(password);
});

beforeEach(async () => {
  ({ id: personId, email } = await addPerson(ctx, { passwordHash }));
  await addMember(ctx, { accountId: await addAccount(ctx), personId, role: 'owner' });
});

/** A service in which something happens right after the first of these steps is done. */
function overtakenAfter(
  step: 'findByPassword' | 'openSession' | 'verifyPassword' | 'hashPassword' | 'session',
  happens: () => Promise<unknown>,
): TestContext {
  let isOvertaken = false;
  const then = async <Result>(result: Promise<Result>): Promise<Result> => {
    const done = await result;
    if (!isOvertaken) {
      isOvertaken = true;
      await happens();
    }
    return done;
  };
  const done = ctx.auth[step].bind(ctx.auth) as (input: unknown) => Promise<unknown>;
  const overtaken = (input: unknown) => then(done(input));
  return { ...ctx, auth: { ...ctx.auth, [step]: overtaken } };
}

const signInAs = async (there: TestContext) =>
  await signIn(there, { input: { email, password }, deviceToken: null, origin });

async function signedIn(): Promise<{ actor: PersonActor; sessionToken: string }> {
  const outcome = await signInAs(ctx);
  if (outcome.kind !== 'signed_in') throw new Error('a second factor is asked for');
  const { sessionToken } = outcome.session;
  const actor = await findPersonActor(ctx, { sessionToken, origin });
  if (!actor) throw new Error('nobody is signed in');
  return { actor, sessionToken };
}

const addOwnApp = async () => await addApp(ctx, { personId, email });

describe('signing in', () => {
  test.each([
    ['with', 'starts no pending sign-in', addOwnApp],
    ['without', 'opens no session', async () => undefined],
  ])(
    '%s a second factor, with a password that is replaced in the meantime, %s',
    async (_with, _what, prepare) => {
      await prepare();
      const there = overtakenAfter('findByPassword', () => resetAccess(ctx, email));
      await expect(signInAs(there)).rejects.toMatchObject({
        details: { password: ['Wrong email or password.'] },
      });
      expect(await ctx.db.$count(pendingSignIns, eq(pendingSignIns.personId, personId))).toBe(0);
      expect(await ctx.db.$count(sessions, eq(sessions.personId, personId))).toBe(0);
    },
  );

  test('with the password alone opens no session once there is a second factor', async () => {
    const there = overtakenAfter('openSession', addOwnApp);
    await expect(signInAs(there)).rejects.toHaveProperty('details.password');
    expect(await ctx.db.$count(sessions, eq(sessions.personId, personId))).toBe(0);
  });
});

describe('a proof with the password alone', () => {
  test('counts for nothing once there is a second factor', async () => {
    const { actor, sessionToken } = await signedIn();
    const there = overtakenAfter('verifyPassword', addOwnApp);
    const options = { input: { password }, sessionToken };
    await expect(confirmIdentity(there, actor, options)).rejects.toHaveProperty('details.code');
  });

  test('counts for nothing once the password was replaced', async () => {
    const { actor, sessionToken } = await signedIn();
    const there = overtakenAfter('verifyPassword', () => resetAccess(ctx, email));
    const options = { input: { password }, sessionToken };
    await expect(confirmIdentity(there, actor, options)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { password: ['This is not your password.'] },
    });
  });

  test('changes no password once there is a second factor', async () => {
    const { actor, sessionToken } = await signedIn();
    ctx.clock.advance(31 * minuteMs);
    const there = overtakenAfter('hashPassword', addOwnApp);
    const input = { current_password: password, new_password: chosen };
    await expect(changePassword(there, actor, { input, sessionToken })).rejects.toMatchObject({
      code: 'PROOF_REQUIRED',
    });
    expect((await signInAs(ctx)).kind).toBe('pending');
  });
});

describe('a session that was ended in the meantime', () => {
  test('adds no second factor', async () => {
    const { actor, sessionToken } = await signedIn();
    const options = await startPasskey(ctx, actor, sessionToken);
    const passkey: PasskeyAttestation = new SoftwareAuthenticator().create({
      options,
      origin: ctx.config.publicUrl.origin,
    });
    const there = overtakenAfter('session', () => resetFactors(ctx, email));
    const input = { input: { name: 'Theirs', passkey }, sessionToken };
    await expect(addPasskey(there, actor, input)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    expect(await ctx.db.$count(passkeys, eq(passkeys.personId, personId))).toBe(0);
  });

  test('cannot request a change of the email', async () => {
    const { actor, sessionToken } = await signedIn();
    const there = overtakenAfter('session', () => resetAccess(ctx, email));
    const options = { email: `${crypto.randomUUID()}@example.com`, sessionToken };
    await expect(requestEmailChange(there, actor, options)).rejects.toMatchObject({
      code: 'UNAUTHORIZED',
    });
    expect(await ctx.db.$count(emailChanges, eq(emailChanges.personId, personId))).toBe(0);
  });

  test('cannot join an account', async () => {
    const { actor, sessionToken } = await signedIn();
    const accountId = mintAccountId(await addAccount(ctx));
    const owner = await addPerson(ctx);
    await addMember(ctx, { accountId, personId: owner.id, role: 'owner' });
    const inviter = { ...actor, personId: owner.id, accountId };
    const { link } = await createInvitation(ctx, inviter, { email, role: 'viewer' });
    const there = overtakenAfter('session', () => resetAccess(ctx, email));
    const input = { invitation_token: link?.split('#')[1] ?? '' };
    await expect(joinAccount(there, actor, { input, sessionToken })).rejects.toMatchObject({
      code: 'UNAUTHORIZED',
    });
    expect(await ctx.db.$count(members, eq(members.accountId, accountId))).toBe(1);
  });
});
