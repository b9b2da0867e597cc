import type { Hono } from 'hono';
import * as contract from '#lib/contract/events/recorded-events.ts';
import type { Context } from '../../../context.ts';
import { getEvent } from '../../../domain/events/get-event.ts';
import { listEvents } from '../../../domain/events/list-events.ts';
import { mount } from '../../mount.ts';

export function mountEventRoutes(app: Hono, ctx: Context): void {
  mount(app, ctx, contract.listEvents).handle(async ({ actor, query }) => {
    const { events, nextCursor, followCursor } = await listEvents(ctx, actor, query);
    return {
      status: 200,
      body: { success: true, data: events, next_cursor: nextCursor, follow_cursor: followCursor },
    };
  });

  mount(app, ctx, contract.getEvent).handle(async ({ actor, params }) => ({
    status: 200,
    body: { success: true, data: await getEvent(ctx, actor, params) },
  }));
}
