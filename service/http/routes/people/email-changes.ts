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

/** Changes of a person's email address. These routes are for people: API keys cannot call them. */
export function mountEmailChangeRoutes(app: Hono, ctx: Context): void {
  mount(app, ctx, contract.getEmailChange).respond(
    async ({ actor }) => await getEmailChange(ctx, actor),
  );

  mount(app, ctx, contract.requestEmailChange).respond(
    async ({ actor, body, sessionToken }) =>
      await requestEmailChange(ctx, actor, {
        ...body,
        sessionToken,
      }),
  );

  mount(app, ctx, contract.cancelEmailChange).respond(
    async ({ actor, sessionToken }) => await cancelEmailChange(ctx, actor, sessionToken),
  );

  mount(app, ctx, contract.checkEmailConfirmation).respond(async ({ body, origin }) => {
    const link = { token: body.confirm_token, origin };
    const { email, name, expiresAt } = await checkEmailConfirmation(ctx, link);
    const data = { email, name, expires_at: formatApiTime(expiresAt) };
    return data;
  });

  mount(app, ctx, contract.confirmEmail).respond(
    async ({ body, origin }) => await confirmEmail(ctx, { token: body.confirm_token, origin }),
  );

  mount(app, ctx, contract.checkEmailRevocation).respond(async ({ body, origin }) => {
    const link = { token: body.revoke_token, origin };
    const { change, isChanged } = await checkEmailRevocation(ctx, link);
    const data = {
      email: change.oldEmail,
      new_email: change.newEmail,
      is_changed: isChanged,
      expires_at: formatApiTime(change.revocableUntil),
    };
    return data;
  });

  mount(app, ctx, contract.revokeEmailChange).respond(async ({ body, origin }) => {
    const link = { token: body.revoke_token, origin };
    const { email, resetToken } = await revokeEmailChange(ctx, link);
    return { email, reset_token: resetToken };
  });
}
