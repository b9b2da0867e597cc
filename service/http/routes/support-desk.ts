import type { Hono } from 'hono';
import { listAttention as listAttentionRoute } from '#lib/contract/support-desk/attention.ts';
import { listDeskRequests as listDeskRequestsRoute } from '#lib/contract/support-desk/desk-requests.ts';
import { getInstallationStatus as getInstallationStatusRoute } from '#lib/contract/support-desk/installation-status.ts';
import * as contract from '#lib/contract/support-desk/support-desk.ts';
import type { Context } from '../../context.ts';
import { findToken } from '../../domain/support-desk/find-token.ts';
import { getInstallationStatus } from '../../domain/support-desk/get-installation-status.ts';
import { getSupportDesk } from '../../domain/support-desk/read-searcher.ts';
import { listAttention } from '../../domain/support-desk/list-attention.ts';
import { listDeskRequests } from '../../domain/support-desk/list-desk-requests.ts';
import { reportUnknownLeak } from '../../domain/support-desk/report-unknown-leak.ts';
import { searchDesk } from '../../domain/support-desk/search-desk.ts';
import { mount } from '../mount.ts';

/** Search in all accounts that a person can open. API keys cannot call these routes. */
export function mountSupportDeskRoutes(app: Hono, ctx: Context): void {
  mount(app, ctx, contract.getSupportDesk).respond(
    async ({ actor, sessionToken }) => await getSupportDesk(ctx, actor, sessionToken),
  );

  mount(app, ctx, listAttentionRoute).respond(
    async ({ actor, sessionToken }) => await listAttention(ctx, actor, sessionToken),
  );

  mount(app, ctx, getInstallationStatusRoute).respond(
    async ({ actor, sessionToken }) => await getInstallationStatus(ctx, actor, sessionToken),
  );

  mount(app, ctx, contract.searchDesk).respond(
    async ({ actor, body, sessionToken }) =>
      await searchDesk(ctx, actor, {
        input: body,
        sessionToken,
      }),
  );

  mount(app, ctx, contract.findToken).respond(
    async ({ actor, body, sessionToken }) =>
      await findToken(ctx, actor, {
        input: body,
        sessionToken,
      }),
  );

  mount(app, ctx, contract.reportUnknownLeak).respond(async ({ actor, body, sessionToken }) => {
    const input = { input: body, sessionToken };
    await reportUnknownLeak(ctx, actor, input);
  });

  mount(app, ctx, listDeskRequestsRoute).handle(async ({ actor, query, sessionToken }) => {
    const { requests, nextCursor } = await listDeskRequests(ctx, actor, {
      query,
      sessionToken,
    });
    return { status: 200, body: { success: true, data: requests, next_cursor: nextCursor } };
  });
}
