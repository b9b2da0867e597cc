import type { Hono } from 'hono';
import * as contract from '#lib/contract/people/sign-in.ts';
import type { Context } from '../../../context.ts';
import { finishSignIn } from '../../../domain/people/sign-in/finish-sign-in.ts';
import { signIn } from '../../../domain/people/sign-in/sign-in.ts';
import { respondWithNewSession } from './respond-with-new-session.ts';
import { mount } from '../../mount.ts';

/** Only the dashboard's server calls these routes. */
export function mountSignInRoutes(app: Hono, ctx: Context): void {
  mount(app, ctx, contract.signIn).handle(async ({ body, origin }) => {
    const { device_token: deviceToken = null, earlier_session: earlierSession, ...input } = body;
    const outcome = await signIn(ctx, { input, deviceToken, earlierSession, origin });
    return outcome.kind === 'signed_in'
      ? respondWithNewSession(outcome.session)
      : { status: 202, body: { success: true, data: outcome.pending } };
  });

  mount(app, ctx, contract.finishSignIn).handle(async ({ body, origin }) => {
    const {
      pending_token: token,
      device_token: deviceToken = null,
      earlier_session: earlierSession,
      ...given
    } = body;
    return respondWithNewSession(
      await finishSignIn(ctx, { token, given, deviceToken, earlierSession, origin }),
    );
  });
}
