import type { Hono } from 'hono';
import * as catalog from '#lib/contract/events/event-type-catalog.ts';
import * as contract from '#lib/contract/events/recorded-events.ts';
import type { Context } from '../../../context.ts';
import { eventTypeCatalog, getEvent, listEvents } from '../../../domain/events/read-events.ts';
import { mount } from '../../mount.ts';

export function mountEventRoutes(app: Hono, ctx: Context): void {
  mount(app, ctx, contract.listEvents).handle(async ({ actor, query }) => {
    const { events, nextCursor, followCursor } = await listEvents(ctx, actor, query);
    return {
      status: 200,
      body: { success: true, data: events, next_cursor: nextCursor, follow_cursor: followCursor },
    };
  });

  mount(app, ctx, contract.getEvent).respond(
    async ({ actor, params }) => await getEvent(ctx, actor, params),
  );
}

export function mountEventTypeRoutes(app: Hono, ctx: Context): void {
  mount(app, ctx, catalog.listEventTypes).respond(async () => [...eventTypeCatalog]);
}
