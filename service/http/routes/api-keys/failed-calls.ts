import type { Hono } from 'hono';
import * as contract from '#lib/contract/api-keys/failed-calls.ts';
import { dashboardRoutes, publicRoutes } from '#lib/contract/routes.ts';
import type { Context } from '../../../context.ts';
import {
  findFailedCalls,
  listFailedCalls,
} from '../../../domain/api-keys/reading/list-failed-calls.ts';
import { mount } from '../../mount.ts';

export function mountFailedCallRoutes(app: Hono, ctx: Context): void {
  const paths = new Map(
    [...publicRoutes, ...dashboardRoutes].map(({ name, path }) => [name, path]),
  );
  const pathOf = (route: string) => paths.get(route) ?? null;

  mount(app, ctx, contract.listFailedCalls).handle(async ({ actor, params: { apiKey } }) => ({
    status: 200,
    body: { success: true, data: await listFailedCalls(ctx, actor, { apiKey, pathOf }) },
  }));

  mount(app, ctx, contract.findFailedCalls).handle(async ({ actor, query }) => {
    const found = { requestId: query.request_id, pathOf };
    return { status: 200, body: { success: true, data: await findFailedCalls(ctx, actor, found) } };
  });
}
