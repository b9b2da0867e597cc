import type { Hono } from 'hono';
import * as contract from '#lib/contract/audit-log/audit-log.ts';
import * as changes from '#lib/contract/audit-log/changes.ts';
import type { Context } from '../../context.ts';
import { exportAuditLog } from '../../domain/audit-log/export-audit-log.ts';
import {
  listAuditEntries,
  listChangesOfKey,
  listChangesOfWebhook,
  listFormerMembers,
} from '../../domain/audit-log/list-audit-entries.ts';
import { mount } from '../mount.ts';

export function mountAuditLogRoutes(app: Hono, ctx: Context): void {
  mount(app, ctx, contract.listAuditEntries).handle(async ({ actor, query }) => {
    const { entries, nextCursor, followCursor } = await listAuditEntries(ctx, actor, query);
    return {
      status: 200,
      body: { success: true, data: entries, next_cursor: nextCursor, follow_cursor: followCursor },
    };
  });

  mount(app, ctx, contract.listFormerMembers).respond(
    async ({ actor }) => await listFormerMembers(ctx, actor),
  );

  mount(app, ctx, changes.listChangesOfKey).handle(async ({ actor, params, query }) => {
    const { changes: data, nextCursor } = await listChangesOfKey(ctx, actor, {
      ...params,
      ...query,
    });
    return { status: 200, body: { success: true, data, next_cursor: nextCursor } };
  });

  mount(app, ctx, changes.listChangesOfWebhook).handle(async ({ actor, params, query }) => {
    const input = { ...params, ...query };
    const { changes: data, nextCursor } = await listChangesOfWebhook(ctx, actor, input);
    return { status: 200, body: { success: true, data, next_cursor: nextCursor } };
  });

  mount(app, ctx, contract.exportAuditLog).handle(async ({ actor, query }) => {
    const { total, text } = await exportAuditLog(ctx, actor, query);
    const day = ctx.clock.now().toISOString().slice(0, 10);
    const headers = {
      'Content-Type': contract.exportMediaTypes[query.format],
      'Content-Disposition': `attachment; filename="audit-log-${day}.${query.format}"`,
      'X-Total-Count': String(total),
    };
    return { status: 200, stream: { headers, text } };
  });
}
