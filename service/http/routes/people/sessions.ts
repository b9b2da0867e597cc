import type { Hono } from 'hono';
import * as contract from '#lib/contract/people/sessions.ts';
import { getQuotas as getQuotasRoute } from '#lib/contract/quotas.ts';
import { getWebhookTargets as getWebhookTargetsRoute } from '#lib/contract/webhooks/webhook-targets.ts';
import { formatApiTime } from '#lib/time.ts';
import type { Context } from '../../../context.ts';
import { changePassword } from '../../../domain/people/passwords/change-password.ts';
import { checkSetUpToken } from '../../../domain/people/set-up/check-set-up-token.ts';
import { chooseAccount } from '../../../domain/people/sessions/choose-account.ts';
import { endOtherSessions } from '../../../domain/people/sessions/end-other-sessions.ts';
import { endSession } from '../../../domain/people/sessions/end-session.ts';
import { getSession } from '../../../domain/people/sessions/get-session.ts';
import { isSetUpOpen } from '../../../domain/people/set-up/is-set-up-open.ts';
import { listSessions } from '../../../domain/people/sessions/list-sessions.ts';
import { confirmIdentity } from '../../../domain/people/sessions/confirm-identity.ts';
import { setUp } from '../../../domain/people/set-up/set-up.ts';
import { getQuotas } from '../../../domain/quotas/get-quotas.ts';
import { finishSignIn } from '../../../domain/people/sign-in/finish-sign-in.ts';
import { signIn } from '../../../domain/people/sign-in/sign-in.ts';
import { signOut } from '../../../domain/people/sign-in/sign-out.ts';
import { respondWithNewSession, deviceFields, sessionFields } from './respond-with-new-session.ts';
import { mount } from '../../mount.ts';
import { requiredSession } from './required-session.ts';

/**
 * Routes that only the dashboard's server calls: signing people in and out, and the first start.
 */
export function mountDashboardRoutes(app: Hono, ctx: Context): void {
  mount(app, ctx, contract.signIn).handle(async ({ body, origin }) => {
    const { device_token: deviceToken = null, ...input } = body;
    const outcome = await signIn(ctx, { input, deviceToken, origin });
    return outcome.kind === 'signed_in'
      ? respondWithNewSession(outcome.session)
      : { status: 202, body: { success: true, data: outcome.pending } };
  });

  mount(app, ctx, contract.finishSignIn).handle(async ({ body, origin }) => {
    const { pending_token: token, device_token: deviceToken = null, ...given } = body;
    return respondWithNewSession(await finishSignIn(ctx, { token, given, deviceToken, origin }));
  });

  mount(app, ctx, contract.getSession).handle(async ({ actor, sessionToken }) => ({
    status: 200,
    body: { success: true, data: await getSession(ctx, actor, requiredSession(sessionToken)) },
  }));

  mount(app, ctx, contract.signOut).handle(async ({ actor, sessionToken }) => {
    await signOut(ctx, actor, requiredSession(sessionToken));
    return { status: 204 };
  });

  mount(app, ctx, contract.confirmIdentity).handle(async ({ actor, body, sessionToken }) => {
    const { proofExpiresAt, ...session } = await confirmIdentity(ctx, actor, {
      input: body,
      sessionToken: requiredSession(sessionToken),
    });
    const data = { proof_expires_at: formatApiTime(proofExpiresAt), ...sessionFields(session) };
    return { status: 201, body: { success: true, data } };
  });

  mount(app, ctx, contract.chooseAccount).handle(async ({ actor, body, sessionToken }) => ({
    status: 200,
    body: {
      success: true,
      data: await chooseAccount(ctx, actor, {
        account: body.account,
        sessionToken: requiredSession(sessionToken),
      }),
    },
  }));

  mount(app, ctx, contract.listSessions).handle(async ({ actor, sessionToken }) => ({
    status: 200,
    body: { success: true, data: await listSessions(ctx, actor, requiredSession(sessionToken)) },
  }));

  mount(app, ctx, contract.endSession).handle(async ({ actor, params, sessionToken }) => {
    await endSession(ctx, actor, {
      session: params.session,
      sessionToken: requiredSession(sessionToken),
    });
    return { status: 204 };
  });

  mount(app, ctx, contract.endOtherSessions).handle(async ({ actor, sessionToken }) => ({
    status: 200,
    body: {
      success: true,
      data: await endOtherSessions(ctx, actor, requiredSession(sessionToken)),
    },
  }));

  mount(app, ctx, contract.changePassword).handle(async ({ actor, body, sessionToken }) => {
    const { endedSessions, ...renewed } = await changePassword(ctx, actor, {
      input: body,
      sessionToken: requiredSession(sessionToken),
    });
    const data = {
      ended_sessions: endedSessions,
      ...sessionFields(renewed),
      ...deviceFields(renewed),
    };
    return { status: 200, body: { success: true, data } };
  });

  mount(app, ctx, getWebhookTargetsRoute).handle(async () => ({
    status: 200,
    body: {
      success: true,
      data: { allows_private_addresses: ctx.config.webhookAllowedCidrs.length > 0 },
    },
  }));

  mount(app, ctx, getQuotasRoute).handle(async ({ actor }) => ({
    status: 200,
    body: { success: true, data: await getQuotas(ctx, actor) },
  }));

  mount(app, ctx, contract.getSetUp).handle(async () => ({
    status: 200,
    body: { success: true, data: { open: await isSetUpOpen(ctx) } },
  }));

  mount(app, ctx, contract.checkSetUpToken).handle(async ({ body }) => {
    const { validUntil } = await checkSetUpToken(ctx, body.set_up_token);
    return {
      status: 200,
      body: { success: true, data: { valid_until: formatApiTime(validUntil) } },
    };
  });

  mount(app, ctx, contract.setUp).handle(async ({ body, origin }) =>
    respondWithNewSession(await setUp(ctx, { input: body, origin })),
  );
}
