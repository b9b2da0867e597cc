import type { Hono } from 'hono';
import * as contract from '#lib/contract/events/event-type-catalog.ts';
import type { Context } from '../../../context.ts';
import { eventTypeCatalog } from '../../../domain/events/event-type-catalog.ts';
import { mount } from '../../mount.ts';

export function mountEventTypeRoutes(app: Hono, ctx: Context): void {
  mount(app, ctx, contract.listEventTypes).handle(async () => ({
    status: 200,
    body: { success: true, data: [...eventTypeCatalog] },
  }));
}
