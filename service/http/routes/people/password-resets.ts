import type { Hono } from 'hono';
import * as contract from '#lib/contract/people/password-resets.ts';
import { formatApiTime } from '#lib/time.ts';
import type { Context } from '../../../context.ts';
import {
  findOpenPasswordReset,
  finishPasswordReset,
  requestPasswordReset,
} from '../../../domain/people/passwords/password-reset.ts';
import { mount } from '../../mount.ts';

/** Choosing a new password with an emailed link. For people: API keys cannot call them. */
export function mountPasswordResetRoutes(app: Hono, ctx: Context): void {
  mount(app, ctx, contract.requestPasswordReset).respond(async ({ body, origin }) => {
    const { isMailed } = await requestPasswordReset(ctx, { email: body.email, origin });
    return { is_mailed: isMailed };
  });

  mount(app, ctx, contract.checkPasswordReset).respond(async ({ body, origin }) => {
    const token = body.reset_token;
    const { person, expiresAt } = await findOpenPasswordReset(ctx, { token, origin });
    const data = { email: person.email, expires_at: formatApiTime(expiresAt) };
    return data;
  });

  mount(app, ctx, contract.finishPasswordReset).respond(
    async ({ body, origin }) => await finishPasswordReset(ctx, { input: body, origin }),
  );
}
