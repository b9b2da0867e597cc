import { desc, eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { dayMs, hourMs, minuteMs } from '#lib/durations.ts';
import { formatApiTime } from '#lib/time.ts';
import type { Tx } from '../../../db/open.ts';
import { auditEntries } from '../../../db/schema/audit.ts';
import { passwordResets } from '../../../db/schema/people/credentials.ts';
import { emailChanges, people } from '../../../db/schema/people/people.ts';
import {
  authenticatorApps,
  passkeys,
  recoveryCodes,
} from '../../../db/schema/people/second-factors.ts';
import { sessions } from '../../../db/schema/people/sessions.ts';
import { dataOf, detailsOf } from '../../../testing/api.ts';
import type { ApiResponse } from '../../../testing/api.ts';
import { afterWaiting, waitedMs } from '../../../testing/databases/after-waiting.ts';
import { chosen, useEmailChanges, newAddress } from '../../../testing/http/email-change-world.ts';
import { addApp, addPasskey, addRecoveryCode } from '../../../testing/records/second-factors.ts';
import { SoftwareAuthenticator } from '../../../testing/software-authenticator.ts';

/**
 * Calls of people that wait for a lock which another transaction has for a long time. What they
 * then decide and promise begins when they have the lock, and they need a session that still exists.
 */
const { ctx, world } = useEmailChanges('postgresql');

describe('a change of an email address', () => {
  test('can be confirmed for 24 hours', async () => {
    const response = await whilePersonIsLocked(() => world.ask(newAddress()));
    expect(dataOf(response)['pending']).toMatchObject({
      expires_at: ctx.clock.apiTime(24 * hourMs),
    });
  });

  test('can be undone for 7 days', async () => {
    const { confirmToken } = await world.asked();
    const response = await whilePersonIsLocked(() => world.confirm(confirmToken));
    expect(response.status).toBe(200);
    expect((await world.shown())['fixed_until']).toBe(ctx.clock.apiTime(7 * dayMs));
  });

  test('whose link expires in the meantime is not confirmed', async () => {
    const { confirmToken } = await world.asked();
    await endSoon({ confirmableUntil: soon() });
    const response = await whilePersonIsLocked(() => world.confirm(confirmToken));
    expect(response.status).toBe(422);
    expect(await world.emailOf(world.ann.id)).toBe(world.ann.email);
  });

  test('whose link expires in the meantime is not undone', async () => {
    const { email, revokeToken } = await world.changed();
    await endSoon({ revocableUntil: soon() });
    const response = await whilePersonIsLocked(() => world.revoke(revokeToken));
    expect(response.status).toBe(422);
    expect(await world.emailOf(world.ann.id)).toBe(email);
  });

  test('is audited with the time at which it was cancelled', async () => {
    await world.asked();
    await whilePersonIsLocked(() => world.cancel());
    expect(await latestEntry()).toEqual({
      action: 'person.email_change_cancelled',
      at: ctx.clock.apiTime(),
    });
  });

  async function endSoon(change: Partial<typeof emailChanges.$inferInsert>): Promise<void> {
    await ctx.db.update(emailChanges).set(change).where(eq(emailChanges.personId, world.ann.id));
  }
});

test('a proof of identity counts from the moment at which it is stored', async () => {
  const response = await whilePersonIsLocked(() =>
    as().post('/api/dashboard/session/proof', { password: 'correct horse battery' }),
  );
  const { proofMaxAgeSeconds } = ctx.config;
  expect(dataOf(response)['proof_expires_at']).toBe(ctx.clock.apiTime(proofMaxAgeSeconds * 1000));
});

test('a password is not reset with a link that expires in the meantime', async () => {
  await world.api.asNobody().post('/api/dashboard/password-reset', { email: world.ann.email });
  const mails = world.mailsTo(world.ann.email).map(({ text }) => text);
  const token = /\/reset-password#([\w-]{43})/.exec(mails.join('\n'))?.[1];
  const isTheirs = eq(passwordResets.email, world.ann.email);
  await ctx.db.update(passwordResets).set({ expiresAt: soon() }).where(isTheirs);
  const response = await whilePersonIsLocked(() => world.choosePassword(token));
  expect(response.status).toBe(422);
  expect(Object.keys(detailsOf(response))).toEqual(['reset_token']);
});

test('a passkey is not added with a challenge that expires in the meantime', async () => {
  const path = '/api/dashboard/second-factors/passkeys';
  const options = dataOf(await as().post(`${path}/options`));
  const { origin } = ctx.config.publicUrl;
  const passkey = new SoftwareAuthenticator().create({ options, origin });
  const response = await whilePersonIsLocked(() => as().post(path, { name: 'Phone', passkey }));
  expect(response.status).toBe(422);
  const isTheirs = eq(passkeys.personId, world.ann.id);
  expect(await ctx.db.$count(passkeys, isTheirs)).toBe(0);
});

test.each([
  ['password', 'person.password_changed', changePassword],
  ['name', 'person.renamed', () => as().patch('/api/dashboard/person', { name: 'Anna' })],
  [
    'choice of emails',
    'person.mail_preferences_changed',
    () => as().patch('/api/dashboard/mail-preferences', { webhooks: false }),
  ],
])('a new %s is audited with the time at which it is stored', async (_what, action, call) => {
  const response = await whilePersonIsLocked(call);
  expect(response.status, response.text).toBe(200);
  expect(await latestEntry()).toEqual({ action, at: ctx.clock.apiTime() });
});

describe('a session that ends in the meantime', () => {
  test('creates no recovery codes', async () => {
    await addApp(ctx, { personId: world.ann.id, email: world.ann.email });
    await addRecoveryCode(ctx, world.ann.id);
    const response = await whileSessionEnds(() =>
      as().post('/api/dashboard/second-factors/recovery-codes'),
    );
    expect(response.status).toBe(401);
    const isTheirs = eq(recoveryCodes.personId, world.ann.id);
    expect(await ctx.db.$count(recoveryCodes, isTheirs)).toBe(1);
  });

  test('removes and renames no second factor', async () => {
    const [second, third] = [await openSession(), await openSession()];
    await addApp(ctx, { personId: world.ann.id, email: world.ann.email });
    const passkey = await addPasskey(ctx, world.ann.id);
    const path = `/api/dashboard/second-factors/passkeys/${passkey}`;
    const refused = [
      await whileSessionEnds(() => as().delete('/api/dashboard/second-factors/app')),
      await whileSessionEnds(() => as(second).delete(path), second),
      await whileSessionEnds(() => as(third).patch(path, { name: 'Phone' }), third),
    ];
    expect(refused.map(({ status }) => status)).toEqual([401, 401, 401]);
  });

  test('ends no other session', async () => {
    const [second, other] = [await openSession(), await openSession()];
    const path = '/api/dashboard/sessions';
    const listed = dataOf<{ id: string; is_current: boolean }[]>(await as(other).get(path));
    const otherId = listed.find((session) => session.is_current)?.id ?? '';
    const refused = [
      await whileSessionEnds(() => as().delete(`${path}/${otherId}`)),
      await whileSessionEnds(() => as(second).delete(path), second),
    ];
    expect(refused.map(({ status }) => status)).toEqual([401, 401]);
    expect((await as(other).get('/api/dashboard/session')).status).toBe(200);
  });

  test('changes neither the name nor which emails are sent', async () => {
    const second = await openSession();
    const refused = [
      await whileSessionEnds(() => as().patch('/api/dashboard/person', { name: 'Anna' })),
      await whileSessionEnds(
        () => as(second).patch('/api/dashboard/mail-preferences', { webhooks: false }),
        second,
      ),
    ];
    expect(refused.map(({ status }) => status)).toEqual([401, 401]);
    expect(await latestEntry()).not.toMatchObject({ action: expect.stringMatching(/^person\./) });
  });

  test('cancels no change of the email address', async () => {
    await world.asked();
    expect((await whileSessionEnds(() => world.cancel())).status).toBe(401);
    const pending = eq(emailChanges.personId, world.ann.id);
    expect(await ctx.db.$count(emailChanges, pending)).toBe(1);
  });

  test('prepares no authenticator app', async () => {
    const response = await whileSessionEnds(() => as().post('/api/dashboard/second-factors/app'));
    expect(response.status).toBe(401);
    const isTheirs = eq(authenticatorApps.personId, world.ann.id);
    expect(await ctx.db.$count(authenticatorApps, isTheirs)).toBe(0);
  });

  async function openSession(): Promise<string> {
    return await world.openSession(world.ann.email);
  }

  /** The response to a call whose session is ended by someone who holds the person's lock. */
  async function whileSessionEnds(
    call: () => Promise<ApiResponse>,
    session = world.ann.session,
  ): Promise<ApiResponse> {
    return await afterWaiting(ctx, {
      lock: lockPerson,
      call,
      async during(tx) {
        await tx.delete(sessions).where(eq(sessions.digest, ctx.auth.digestOf(session)));
      },
    });
  }
});

function as(session = world.ann.session) {
  return world.as({ session });
}

/** While a call waits. */
function soon(): Date {
  return new Date(ctx.clock.now().getTime() + waitedMs - minuteMs);
}

async function changePassword(): Promise<ApiResponse> {
  const body = { current_password: 'correct horse battery', new_password: chosen };
  return await as().post('/api/dashboard/password', body);
}

async function lockPerson(tx: Tx): Promise<void> {
  await tx.select().from(people).where(eq(people.id, world.ann.id)).for('update');
}

async function whilePersonIsLocked(call: () => Promise<ApiResponse>): Promise<ApiResponse> {
  return await afterWaiting(ctx, { lock: lockPerson, call });
}

async function latestEntry(): Promise<{ action: string; at: string } | null> {
  const [entry] = await ctx.db
    .select()
    .from(auditEntries)
    .where(eq(auditEntries.accountId, world.accountIds[0] ?? ''))
    .orderBy(desc(auditEntries.id))
    .limit(1);
  return entry ? { action: entry.action, at: formatApiTime(entry.at) } : null;
}
