import type { Hono } from 'hono';
import * as contract from '#lib/contract/audit-log.ts';
import type { Context } from '../../context.ts';
import { listAuditEntries } from '../../domain/audit/list-audit-entries.ts';
import type { AppEnv } from '../call.ts';
import { mount } from '../mount.ts';

export function mountAuditLogRoutes(app: Hono<AppEnv>, ctx: Context): void {
  mount(app, ctx, contract.listAuditEntries).handle(async ({ actor, query }) => {
    const { entries, nextCursor } = await listAuditEntries(ctx, actor, query);
    return { status: 200, body: { success: true, data: entries, next_cursor: nextCursor } };
  });
}
