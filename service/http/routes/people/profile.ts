import type { Hono } from 'hono';
import * as preferences from '#lib/contract/people/mail-preferences.ts';
import * as contract from '#lib/contract/people/person.ts';
import type { Context } from '../../../context.ts';
import {
  getMailPreferences,
  updateMailPreferences,
} from '../../../domain/people/mail-preferences.ts';
import { renamePerson } from '../../../domain/people/rename-person.ts';
import { mount } from '../../mount.ts';
import { requiredSession } from './required-session.ts';

/** A person's own name. This route is for people: API keys cannot call it. */
export function mountProfileRoutes(app: Hono, ctx: Context): void {
  mount(app, ctx, contract.renamePerson).handle(async ({ actor, body, sessionToken }) => {
    const data = await renamePerson(ctx, actor, {
      name: body.name,
      sessionToken: requiredSession(sessionToken),
    });
    return { status: 200, body: { success: true, data } };
  });
}

/** Which mail a person gets. These routes are for people: API keys cannot call them. */
export function mountMailPreferenceRoutes(app: Hono, ctx: Context): void {
  mount(app, ctx, preferences.getMailPreferences).handle(async ({ actor }) => ({
    status: 200,
    body: { success: true, data: await getMailPreferences(ctx, actor) },
  }));

  mount(app, ctx, preferences.updateMailPreferences).handle(
    async ({ actor, body, sessionToken }) => {
      const data = await updateMailPreferences(ctx, actor, {
        change: body,
        sessionToken: requiredSession(sessionToken),
      });
      return { status: 200, body: { success: true, data } };
    },
  );
}
