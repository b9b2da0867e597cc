import type { Context } from '../../../context.ts';
import type { LimitUse } from '../../../limiter/limiter.ts';
import type { PersonActor } from '../../actor.ts';
import { invalid } from '../../errors.ts';
import { refuseOverLimit } from '../../refuse-over-limit.ts';
import { confirmSession, currentSessionId } from '../sessions/find-session.ts';
import { findApp, lockFactors, replaceUnconfirmedApp, updateApp } from '../store/second-factors.ts';
import { addFactor } from './add-factor.ts';
import { acceptedStep, newAppSecret } from './authenticator-app.ts';
import { mailFactorChange } from './mail-factor-change.ts';

/**
 * Creates the key of an authenticator app, as text and as the URL for a QR code. The app is not in
 * use until `confirmApp`.
 *
 * @throws ServiceError VALIDATION_ERROR with `details.app` if the person already has an app in use;
 *   UNAUTHORIZED if the session of the call ended in the meantime
 */
export async function startApp(
  ctx: Context,
  { personId, email }: PersonActor,
  sessionToken: string,
): Promise<{ key: string; uri: string }> {
  const sessionId = await currentSessionId(ctx, sessionToken);
  const { key, uri, row } = newAppSecret(ctx, { personId, email });
  await ctx.db.transaction(async (tx) => {
    await lockFactors(tx, personId);
    await confirmSession(tx, { personId, sessionId });
    const app = await findApp(tx, personId);
    if (app?.confirmedAt) {
      throw invalid('app', 'An authenticator app is already set up. Remove it first.');
    }
    await replaceUnconfirmedApp(tx, { ...row, createdAt: ctx.clock.now() });
  });
  return { key, uri };
}

/**
 * Turns on the authenticator app with the latest key, with a code of that app. Wrong codes are
 * limited.
 *
 * @returns recovery codes, if it is the person's first second factor
 * @throws ServiceError VALIDATION_ERROR with `details.code`; RATE_LIMIT_EXCEEDED
 */
export async function confirmApp(
  ctx: Context,
  actor: PersonActor,
  { code, sessionToken }: { code: string; sessionToken: string },
): Promise<string[] | null> {
  const { personId, email } = actor;
  const uses: LimitUse[] = [{ limit: 'second-factor', key: `${personId} app` }];
  await refuseOverLimit(ctx, uses);
  const sessionId = await currentSessionId(ctx, sessionToken);
  const codes = await ctx.db.transaction(async (tx) => {
    await lockFactors(tx, personId);
    const now = ctx.clock.now();
    const app = await findApp(tx, personId);
    if (!app || app.confirmedAt) {
      throw invalid('code', 'Start again: there is no authenticator app to turn on.');
    }
    const step = acceptedStep(ctx, { app, code, now });
    if (step === null) {
      throw invalid('code', 'This code is wrong. Check the clock of your phone, or scan again.');
    }
    return await addFactor(tx, actor, {
      kind: 'app',
      name: 'Authenticator app',
      sessionId,
      now,
      insert: () => updateApp(tx, personId, { confirmedAt: now, lastStep: step, lastUsedAt: now }),
    });
  });
  await ctx.limiter.giveBack(uses);
  mailFactorChange(ctx, {
    email,
    subject: 'An authenticator app was added',
    what: 'You need its codes when you sign in and before a token is shown.',
  });
  return codes;
}
