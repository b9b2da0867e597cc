import type { Hono } from 'hono';
import * as contract from '#lib/contract/quotas.ts';
import type { Context } from '../../context.ts';
import { readQuotas } from '../../domain/quotas/quotas.ts';
import { mount } from '../mount.ts';

export function mountQuotaRoutes(app: Hono, ctx: Context): void {
  mount(app, ctx, contract.getQuotas).respond(
    async ({ actor }) => await readQuotas(ctx, ctx.db, actor.accountId),
  );
}
