import type { Hono } from 'hono';
import * as preferences from '#lib/contract/people/mail-preferences.ts';
import * as contract from '#lib/contract/people/person.ts';
import type { Context } from '../../../context.ts';
import {
  getMailPreferences,
  renamePerson,
  updateMailPreferences,
} from '../../../domain/people/profile.ts';
import { mount } from '../../mount.ts';

/** A person's own name. This route is for people: API keys cannot call it. */
export function mountProfileRoutes(app: Hono, ctx: Context): void {
  mount(app, ctx, contract.renamePerson).respond(
    async ({ actor, body, sessionToken }) =>
      await renamePerson(ctx, actor, {
        name: body.name,
        sessionToken,
      }),
  );
}

/** Which mail a person gets. These routes are for people: API keys cannot call them. */
export function mountMailPreferenceRoutes(app: Hono, ctx: Context): void {
  mount(app, ctx, preferences.getMailPreferences).respond(
    async ({ actor }) => await getMailPreferences(ctx, actor),
  );

  mount(app, ctx, preferences.updateMailPreferences).respond(
    async ({ actor, body, sessionToken }) =>
      await updateMailPreferences(ctx, actor, {
        change: body,
        sessionToken,
      }),
  );
}
