import type { Hono } from 'hono';
import * as contract from '#lib/contract/people/email-changes.ts';
import { formatApiTime } from '#lib/time.ts';
import type { Context } from '../../../context.ts';
import {
  cancelEmailChange,
  getEmailChange,
  requestEmailChange,
} from '../../../domain/people/email-changes/request-email-change.ts';
import {
  checkEmailConfirmation,
  confirmEmail,
} from '../../../domain/people/email-changes/confirm-email.ts';
import {
  checkEmailRevocation,
  revokeEmailChange,
} from '../../../domain/people/email-changes/revoke-email-change.ts';
import { mount } from '../../mount.ts';
import { requiredSession } from './required-session.ts';

/** Changes of a person's email address. These routes are for people: API keys cannot call them. */
export function mountEmailChangeRoutes(app: Hono, ctx: Context): void {
  mount(app, ctx, contract.getEmailChange).handle(async ({ actor }) => ({
    status: 200,
    body: { success: true, data: await getEmailChange(ctx, actor) },
  }));

  mount(app, ctx, contract.requestEmailChange).handle(async ({ actor, body, sessionToken }) => ({
    status: 201,
    body: {
      success: true,
      data: await requestEmailChange(ctx, actor, {
        ...body,
        sessionToken: requiredSession(sessionToken),
      }),
    },
  }));

  mount(app, ctx, contract.cancelEmailChange).handle(async ({ actor, sessionToken }) => {
    await cancelEmailChange(ctx, actor, requiredSession(sessionToken));
    return { status: 204 };
  });

  mount(app, ctx, contract.checkEmailConfirmation).handle(async ({ body, origin }) => {
    const link = { token: body.confirm_token, origin };
    const { email, name, expiresAt } = await checkEmailConfirmation(ctx, link);
    const data = { email, name, expires_at: formatApiTime(expiresAt) };
    return { status: 200, body: { success: true, data } };
  });

  mount(app, ctx, contract.confirmEmail).handle(async ({ body, origin }) => ({
    status: 200,
    body: {
      success: true,
      data: await confirmEmail(ctx, { token: body.confirm_token, origin }),
    },
  }));

  mount(app, ctx, contract.checkEmailRevocation).handle(async ({ body, origin }) => {
    const link = { token: body.revoke_token, origin };
    const { change, isChanged } = await checkEmailRevocation(ctx, link);
    const data = {
      email: change.oldEmail,
      new_email: change.newEmail,
      is_changed: isChanged,
      expires_at: formatApiTime(change.revocableUntil),
    };
    return { status: 200, body: { success: true, data } };
  });

  mount(app, ctx, contract.revokeEmailChange).handle(async ({ body, origin }) => {
    const link = { token: body.revoke_token, origin };
    const { email, resetToken } = await revokeEmailChange(ctx, link);
    return { status: 200, body: { success: true, data: { email, reset_token: resetToken } } };
  });
}
