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

/** A person's sessions and password. Only the dashboard's server calls these routes. */
export function mountSessionRoutes(app: Hono, ctx: Context): void {
  mount(app, ctx, contract.getSession).respond(
    async ({ actor, sessionToken }) => await getSession(ctx, actor, sessionToken),
  );

  mount(app, ctx, contract.signOut).respond(
    async ({ actor, sessionToken }) => await signOut(ctx, actor, sessionToken),
  );

  mount(app, ctx, contract.confirmIdentity).respond(async ({ actor, body, sessionToken }) => {
    const { proofExpiresAt, ...session } = await confirmIdentity(ctx, actor, {
      input: body,
      sessionToken,
    });
    const data = { proof_expires_at: formatApiTime(proofExpiresAt), ...sessionFields(session) };
    return data;
  });

  mount(app, ctx, contract.chooseAccount).respond(
    async ({ actor, body, sessionToken }) =>
      await chooseAccount(ctx, actor, {
        account: body.account,
        sessionToken,
      }),
  );

  mount(app, ctx, contract.listSessions).respond(
    async ({ actor, sessionToken }) => await listSessions(ctx, actor, sessionToken),
  );

  mount(app, ctx, contract.endSession).respond(
    async ({ actor, params, sessionToken }) =>
      await endSession(ctx, actor, {
        session: params.session,
        sessionToken,
      }),
  );

  mount(app, ctx, contract.endOtherSessions).respond(
    async ({ actor, sessionToken }) => await endOtherSessions(ctx, actor, sessionToken),
  );

  mount(app, ctx, contract.changePassword).respond(async ({ actor, body, sessionToken }) => {
    const { endedSessions, ...renewed } = await changePassword(ctx, actor, {
      input: body,
      sessionToken,
    });
    const data = {
      ended_sessions: endedSessions,
      ...sessionFields(renewed),
      ...deviceFields(renewed),
    };
    return data;
  });
}
