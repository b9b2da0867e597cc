import type { Hono } from 'hono';
import * as contract from '#lib/contract/deliveries/replays.ts';
import type { Context } from '../../../context.ts';
import { cancelReplay } from '../../../domain/replays/cancel-replay.ts';
import { createReplay, findWindowProblems } from '../../../domain/replays/create-replay.ts';
import { getReplay } from '../../../domain/replays/read-replays.ts';
import { mount } from '../../mount.ts';

export function mountReplayRoutes(app: Hono, ctx: Context): void {
  mount(app, ctx, contract.createReplay).handle(
    async ({ actor, params, body }) => {
      const response = await createReplay(ctx, actor, { webhook: params.webhook, ...body });
      return response.kind === 'counted'
        ? { status: 200, body: { success: true, data: response.count } }
        : { status: 201, body: { success: true, data: response.replay } };
    },
    async (window) => await findWindowProblems(ctx, window),
  );

  mount(app, ctx, contract.getReplay).respond(
    async ({ actor, params }) => await getReplay(ctx, actor, params),
  );

  mount(app, ctx, contract.cancelReplay).respond(
    async ({ actor, params }) => await cancelReplay(ctx, actor, params),
  );
}
