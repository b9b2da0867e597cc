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

/**
 * Choosing a new password with an emailed link. These routes are for people: API keys cannot call
 * them.
 */
export function mountPasswordResetRoutes(app: Hono, ctx: Context): void {
  mount(app, ctx, contract.requestPasswordReset).handle(async ({ body, origin }) => {
    const { isMailed } = await requestPasswordReset(ctx, { email: body.email, origin });
    return { status: 202, body: { success: true, data: { is_mailed: isMailed } } };
  });

  mount(app, ctx, contract.checkPasswordReset).handle(async ({ body, origin }) => {
    const token = body.reset_token;
    const { person, expiresAt } = await findOpenPasswordReset(ctx, { token, origin });
    const data = { email: person.email, expires_at: formatApiTime(expiresAt) };
    return { status: 200, body: { success: true, data } };
  });

  mount(app, ctx, contract.finishPasswordReset).handle(async ({ body, origin }) => ({
    status: 200,
    body: { success: true, data: await finishPasswordReset(ctx, { input: body, origin }) },
  }));
}
