import type { Hono } from 'hono';
import * as contract from '#lib/contract/event-types.ts';
import type { Context } from '../../context.ts';
import { eventTypes } from '../../domain/events/event-types.ts';
import type { AppEnv } from '../call.ts';
import { mount } from '../mount.ts';

export function mountEventTypeRoutes(app: Hono<AppEnv>, ctx: Context): void {
  mount(app, ctx, contract.listEventTypes).handle(async () => ({
    status: 200,
    body: { success: true, data: [...eventTypes] },
  }));
}
