import type { Hono } from 'hono';
import * as contract from '#lib/contract/people/links.ts';
import type { Context } from '../../../context.ts';
import { openLink } from '../../../domain/people/open-link.ts';
import { mount } from '../../mount.ts';

/** Opening links with a token. Only the dashboard's server calls this. */
export function mountLinkRoutes(app: Hono, ctx: Context): void {
  mount(app, ctx, contract.openLink).respond(async ({ body, origin }) => {
    const { token, maxAgeSeconds } = await openLink(ctx, { ...body, origin });
    return { token, max_age: maxAgeSeconds };
  });
}
