import type { Hono } from 'hono';
import * as contract from '#lib/contract/people/set-up.ts';
import { formatApiTime } from '#lib/time.ts';
import type { Context } from '../../../context.ts';
import { checkSetUpToken } from '../../../domain/people/set-up/check-set-up-token.ts';
import { isSetUpOpen } from '../../../domain/people/set-up/is-set-up-open.ts';
import { findSetUpProblems, setUp } from '../../../domain/people/set-up/set-up.ts';
import { respondWithNewSession } from './respond-with-new-session.ts';
import { mount } from '../../mount.ts';

/** The first start, until the first person is created. Only the dashboard's server calls these. */
export function mountSetUpRoutes(app: Hono, ctx: Context): void {
  mount(app, ctx, contract.getSetUp).handle(async () => ({
    status: 200,
    body: { success: true, data: { open: await isSetUpOpen(ctx) } },
  }));

  mount(app, ctx, contract.checkSetUpToken).handle(async ({ body }) => {
    const { validUntil } = await checkSetUpToken(ctx, body.set_up_token);
    return {
      status: 200,
      body: { success: true, data: { valid_until: formatApiTime(validUntil) } },
    };
  });

  mount(app, ctx, contract.setUp).handle(
    async ({ body, origin }) => respondWithNewSession(await setUp(ctx, { input: body, origin })),
    async (given) => await findSetUpProblems(ctx, given),
  );
}
