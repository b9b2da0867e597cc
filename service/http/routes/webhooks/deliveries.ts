import type { Hono } from 'hono';
import * as contract from '#lib/contract/deliveries/deliveries.ts';
import { findDeliveries as findContract } from '#lib/contract/deliveries/found-deliveries.ts';
import { checkSignature as checkContract } from '#lib/contract/deliveries/signature-checks.ts';
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
import { checkSignature } from '../../../domain/deliveries/signature/check-signature.ts';
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

  mount(app, ctx, totalsContract).respond(
    async ({ actor, params }) => await getDeliveryTotals(ctx, actor, params),
  );

  mount(app, ctx, contract.getDelivery).respond(
    async ({ actor, params }) => await getDelivery(ctx, actor, params),
  );

  mount(app, ctx, findContract).respond(
    async ({ actor, params }) => await findDeliveries(ctx, actor, params),
  );

  mount(app, ctx, contract.retryDelivery).respond(
    async ({ actor, params }) => await retryDelivery(ctx, actor, params),
  );

  mount(app, ctx, contract.testWebhook).respond(
    async ({ actor, params, body }) =>
      await testWebhook(ctx, actor, { webhook: params.webhook, ...body }),
  );

  mount(app, ctx, checkContract).respond(
    async ({ actor, params, body }) => await checkSignature(ctx, actor, { ...params, ...body }),
  );

  mount(app, ctx, statisticsContract).respond(
    async ({ actor, params, query }) =>
      await getWebhookStatistics(ctx, actor, { webhook: params.webhook, ...query }),
  );
}
