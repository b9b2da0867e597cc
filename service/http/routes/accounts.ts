import type { Hono } from 'hono';
import * as contract from '#lib/contract/people/accounts.ts';
import type { Context } from '../../context.ts';
import { getAccount } from '../../domain/people/accounts/get-account.ts';
import { updateAccount } from '../../domain/people/accounts/update-account.ts';
import type { AppEnv } from '../call.ts';
import { mount } from '../mount.ts';

/** The settings of an account. For people: no key reaches these. */
export function mountAccountRoutes(app: Hono<AppEnv>, ctx: Context): void {
  mount(app, ctx, contract.getAccount).handle(async ({ actor }) => ({
    status: 200,
    body: { success: true, data: await getAccount(ctx, actor) },
  }));

  mount(app, ctx, contract.updateAccount).handle(async ({ actor, body }) => ({
    status: 200,
    body: { success: true, data: await updateAccount(ctx, actor, body) },
  }));
}
