import type { Hono } from 'hono';
import * as catalog from '#lib/contract/events/event-type-catalog.ts';
import * as feed from '#lib/contract/events/event-feed.ts';
import * as contract from '#lib/contract/events/recorded-events.ts';
import { dryRunFilter as dryRunContract } from '#lib/contract/webhooks/filter-dry-runs.ts';
import type { Context } from '../../../context.ts';
import { eventTypeCatalog } from '../../../domain/events/event-type-catalog.ts';
import { dryRunFilter } from '../../../domain/event-log/dry-run-filter.ts';
import { findNearEvents, getEvent, listEvents } from '../../../domain/event-log/read-events.ts';
import { streamEvents } from '../../../domain/event-feed/stream-events.ts';
import { sendEvent } from '../../../domain/event-log/send-event.ts';
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

  mount(app, ctx, contract.sendEvent).respond(
    async ({ actor, params, body }) => await sendEvent(ctx, actor, { ...params, ...body }),
  );

  mount(app, ctx, dryRunContract).respond(
    async ({ actor, body }) => await dryRunFilter(ctx, actor, body),
  );

  mount(app, ctx, contract.findNearEvents).respond(
    async ({ actor, query }) => await findNearEvents(ctx, actor, query),
  );
}

export function mountEventFeedRoutes(app: Hono, ctx: Context): void {
  mount(app, ctx, feed.streamEvents).handle(async ({ actor, params, query, lastEventId }) => {
    // Empty: a client that has no event yet.
    const cursor = query.cursor ?? (lastEventId || undefined);
    const text = await streamEvents(ctx, actor, { ...params, cursor });
    const headers = { 'Content-Type': feed.feedMediaType };
    return { status: 200, stream: { headers, text } };
  });
}

export function mountEventTypeRoutes(app: Hono, ctx: Context): void {
  mount(app, ctx, catalog.listEventTypes).respond(async () => [...eventTypeCatalog]);
}
