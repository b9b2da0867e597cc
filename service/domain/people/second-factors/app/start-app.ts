import type { Context } from '../../../../context.ts';
import type { PersonActor } from '../../../actor.ts';
import { invalid } from '../../../errors.ts';
import { confirmSession } from '../../sessions/confirm-session.ts';
import { currentSessionId } from '../../sessions/current-session-id.ts';
import { findApp, lockFactors, replaceUnconfirmedApp } from '../../store/second-factors.ts';
import { newAppSecret } from './authenticator-app.ts';

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
      throw invalid('app', 'An authenticator app is set up already. Remove it first.');
    }
    await replaceUnconfirmedApp(tx, { ...row, createdAt: ctx.clock.now() });
  });
  return { key, uri };
}
