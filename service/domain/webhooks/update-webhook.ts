import type { z } from 'zod';
import type { updateWebhookInput, Webhook } from '#lib/contract/webhooks.ts';
import type { Context } from '../../context.ts';
import type { Actor } from '../actor.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { notFound } from '../errors.ts';
import { parseResourceReference } from '../resource-reference.ts';
import { acceptTarget } from './accept-target.ts';
import { describeWebhook } from './describe-webhook.ts';
import { lockWebhook, secretPeriodsOf, updateWebhookRow } from './store.ts';
import type { NewWebhookRow, WebhookRow } from './store.ts';

/**
 * Changes a webhook, pauses it (`is_active: false`) or resumes it. Resuming starts its failure
 * count anew.
 *
 * @throws ServiceError NOT_FOUND, VALIDATION_ERROR (an address that may not be called)
 */
export async function updateWebhook(
  ctx: Context,
  actor: Actor,
  input: { webhook: string } & z.output<typeof updateWebhookInput>,
): Promise<Webhook> {
  const now = ctx.clock.now();
  const reference = parseResourceReference(input.webhook);
  if (!reference) throw notFound();

  return await ctx.db.transaction(async (tx) => {
    const before = await lockWebhook(tx, actor.accountId, reference);
    if (!before) throw notFound();
    const change: Partial<NewWebhookRow> = {
      ...(input.name !== undefined && { name: input.name }),
      ...(input.url !== undefined && { url: acceptTarget(ctx, input.url) }),
      ...(input.events !== undefined && { events: input.events }),
      ...activation(before, input.is_active, now),
    };
    const webhook = await updateWebhookRow(tx, before, { ...change, updatedAt: now });
    await recordAudit(tx, {
      actor,
      action: 'webhook.updated',
      at: now,
      target: { kind: 'webhook', id: webhook.uuid, name: webhook.name },
      changes: change,
    });
    return describeWebhook({ webhook, secrets: await secretPeriodsOf(tx, webhook, now) });
  });
}

function activation(
  before: WebhookRow,
  isActive: boolean | undefined,
  now: Date,
): Partial<NewWebhookRow> {
  if (isActive === undefined || isActive === before.isActive) return {};
  return isActive
    ? {
        isActive,
        inactiveSince: null,
        inactiveReason: null,
        failureCount: 0,
        failingSince: null,
      }
    : { isActive, inactiveSince: now, inactiveReason: 'paused' };
}
