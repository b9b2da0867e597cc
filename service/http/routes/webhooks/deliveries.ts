import type { Hono } from 'hono';
import * as contract from '#lib/contract/deliveries/deliveries.ts';
import { findDeliveries as findContract } from '#lib/contract/deliveries/found-deliveries.ts';
import { getDeliveryTotals as totalsContract } from '#lib/contract/deliveries/delivery-totals.ts';
import { getWebhookStatistics as statisticsContract } from '#lib/contract/webhooks/webhook-statistics.ts';
import type { Context } from '../../../context.ts';
import {
  findDeliveries,
  getDelivery,
  getDeliveryTotals,
  listDeliveries,
} from '../../../domain/deliveries/read-deliveries.ts';
import { getWebhookStatistics } from '../../../domain/deliveries/get-webhook-statistics.ts';
import { retryDelivery } from '../../../domain/deliveries/retry-delivery.ts';
import { testWebhook } from '../../../domain/deliveries/test-webhook.ts';
import { mount } from '../../mount.ts';

export function mountDeliveryRoutes(app: Hono, ctx: Context): void {
  mount(app, ctx, contract.listDeliveries).handle(async ({ actor, params, query }) => {
    const { deliveries, nextCursor, followCursor } = await listDeliveries(ctx, actor, {
      webhook: params.webhook,
      ...query,
    });
    return {
      status: 200,
      body: {
        success: true,
        data: deliveries,
        next_cursor: nextCursor,
        follow_cursor: followCursor,
      },
    };
  });

  mount(app, ctx, totalsContract).handle(async ({ actor, params }) => ({
    status: 200,
    body: { success: true, data: await getDeliveryTotals(ctx, actor, params) },
  }));

  mount(app, ctx, contract.getDelivery).handle(async ({ actor, params }) => ({
    status: 200,
    body: { success: true, data: await getDelivery(ctx, actor, params) },
  }));

  mount(app, ctx, findContract).handle(async ({ actor, params }) => ({
    status: 200,
    body: { success: true, data: await findDeliveries(ctx, actor, params) },
  }));

  mount(app, ctx, contract.retryDelivery).handle(async ({ actor, params }) => ({
    status: 202,
    body: { success: true, data: await retryDelivery(ctx, actor, params) },
  }));

  mount(app, ctx, contract.testWebhook).handle(async ({ actor, params, body }) => ({
    status: 202,
    body: {
      success: true,
      data: await testWebhook(ctx, actor, { webhook: params.webhook, ...body }),
    },
  }));

  mount(app, ctx, statisticsContract).handle(async ({ actor, params, query }) => ({
    status: 200,
    body: {
      success: true,
      data: await getWebhookStatistics(ctx, actor, { webhook: params.webhook, ...query }),
    },
  }));
}
