import type { Hono } from 'hono';
import * as contract from '#lib/contract/people/person.ts';
import type { Context } from '../../../context.ts';
import { renamePerson } from '../../../domain/people/profile/rename-person.ts';
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
