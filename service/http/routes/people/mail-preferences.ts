import type { Hono } from 'hono';
import * as contract from '#lib/contract/people/mail-preferences.ts';
import type { Context } from '../../../context.ts';
import { getMailPreferences } from '../../../domain/people/mail-preferences/get-mail-preferences.ts';
import { updateMailPreferences } from '../../../domain/people/mail-preferences/update-mail-preferences.ts';
import { mount } from '../../mount.ts';
import { requiredSession } from './required-session.ts';

/** Which mail a person gets. These routes are for people: API keys cannot call them. */
export function mountMailPreferenceRoutes(app: Hono, ctx: Context): void {
  mount(app, ctx, contract.getMailPreferences).handle(async ({ actor }) => ({
    status: 200,
    body: { success: true, data: await getMailPreferences(ctx, actor) },
  }));

  mount(app, ctx, contract.updateMailPreferences).handle(async ({ actor, body, sessionToken }) => {
    const data = await updateMailPreferences(ctx, actor, {
      change: body,
      sessionToken: requiredSession(sessionToken),
    });
    return { status: 200, body: { success: true, data } };
  });
}
