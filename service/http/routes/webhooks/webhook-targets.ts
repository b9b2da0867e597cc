import type { Hono } from 'hono';
import * as contract from '#lib/contract/webhooks/webhook-targets.ts';
import type { Context } from '../../../context.ts';
import { mount } from '../../mount.ts';

export function mountWebhookTargetRoutes(app: Hono, ctx: Context): void {
  mount(app, ctx, contract.getWebhookTargets).handle(async () => ({
    status: 200,
    body: {
      success: true,
      data: { allows_private_addresses: ctx.config.webhookAllowedCidrs.length > 0 },
    },
  }));
}
