import type { Hono } from 'hono';
import * as firstStart from '#lib/contract/people/set-up.ts';
import * as contract from '#lib/contract/people/sign-in.ts';
import { formatApiTime } from '#lib/time.ts';
import type { Context } from '../../../context.ts';
import {
  checkSetUpToken,
  findSetUpProblems,
  isSetUpOpen,
  setUp,
} from '../../../domain/people/set-up/set-up.ts';
import { finishSignIn, signIn } from '../../../domain/people/sign-in/sign-in.ts';
import { mount } from '../../mount.ts';
import { respondWithNewSession } from './respond-with-new-session.ts';

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

/** The first start, until the first person is created. Only the dashboard's server calls these. */
export function mountSetUpRoutes(app: Hono, ctx: Context): void {
  mount(app, ctx, firstStart.getSetUp).respond(async () => ({ open: await isSetUpOpen(ctx) }));

  mount(app, ctx, firstStart.checkSetUpToken).respond(async ({ body }) => {
    const { validUntil } = await checkSetUpToken(ctx, body.set_up_token);
    return { valid_until: formatApiTime(validUntil) };
  });

  mount(app, ctx, firstStart.setUp).handle(
    async ({ body, origin }) => respondWithNewSession(await setUp(ctx, { input: body, origin })),
    async (given) => await findSetUpProblems(ctx, given),
  );
}
