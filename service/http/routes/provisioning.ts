import type { Hono } from 'hono';
import { routes } from '#lib/contract/routes.ts';
import type { Context } from '../../context.ts';
import {
  deleteProvisionedAccount,
  findProvisioningProblems,
  provisionAccount,
} from '../../domain/people/provisioning/provision-account.ts';
import { mount } from '../mount.ts';

/** The routes of provisioners. */
export function mountProvisioningRoutes(app: Hono, ctx: Context): void {
  mount(app, ctx, routes.provisionAccount).respond(
    async ({ actor, body, origin }) => await provisionAccount(ctx, actor, { input: body, origin }),
    async (given) => await findProvisioningProblems(given),
  );
  mount(app, ctx, routes.deleteProvisionedAccount).respond(
    async ({ actor, params }) => await deleteProvisionedAccount(ctx, actor, params.account),
  );
}
