import type { Hono } from 'hono';
import * as contract from '#lib/contract/people/sessions.ts';
import { formatApiTime } from '#lib/time.ts';
import type { Context } from '../../../context.ts';
import { changePassword } from '../../../domain/people/passwords/change-password.ts';
import { chooseAccount } from '../../../domain/people/sessions/choose-account.ts';
import {
  endOtherSessions,
  endSession,
  signOut,
} from '../../../domain/people/sessions/end-session.ts';
import { getSession, listSessions } from '../../../domain/people/sessions/get-session.ts';
import { confirmIdentity } from '../../../domain/people/sessions/confirm-identity.ts';
import { deviceFields, sessionFields } from './respond-with-new-session.ts';
import { mount } from '../../mount.ts';
import { requiredSession } from './required-session.ts';

/** A person's sessions and password. Only the dashboard's server calls these routes. */
export function mountSessionRoutes(app: Hono, ctx: Context): void {
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
}
