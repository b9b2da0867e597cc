import type { Context } from '../../../context.ts';
import type { Tx } from '../../../db/open.ts';
import { mintAccountId } from '../../account-id.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import { publishEvent } from '../../events/publish-event.ts';
import { pauseLane } from '../../lanes/statements/pause-lane.ts';
import type { Notice } from '../../notices/create-notices.ts';
import { deactivationMail, notifyManagers } from './deactivation-mails.ts';
import type { DeactivationReason } from './deactivation-rules.ts';
import { lockActiveWebhooks, lockWebhooks, updateWebhookRow } from '../store/webhooks.ts';
import type { WebhookRow } from '../store/webhooks.ts';
import { deliverySystem } from './warn-of-deactivation.ts';

/**
 * The rest of the work, for after the commit: emails to send, and webhooks whose lanes to touch.
 */
export type Announced = { notices: Notice[]; toTouch: number[] };

/** The active ones among the webhooks, by id, locked until the transaction ends. */
export async function lockForDeactivation(
  tx: Tx,
  webhookIds: readonly number[],
): Promise<WebhookRow[]> {
  return await lockActiveWebhooks(tx, webhookIds);
}

/** The same, including inactive webhooks. */
export async function lockWebhooksOf(tx: Tx, webhookIds: readonly number[]): Promise<WebhookRow[]> {
  return await lockWebhooks(tx, webhookIds);
}

/**
 * Stops deliveries to a locked webhook until a member resumes it; pending deliveries wait. Other
 * webhooks that subscribe to this event are sent one.
 */
export async function deactivateWebhook(
  ctx: Pick<Context, 'clock' | 'log' | 'config'>,
  { tx, webhook, reason }: { tx: Tx; webhook: WebhookRow; reason: DeactivationReason },
): Promise<Announced> {
  const now = ctx.clock.now();
  await updateWebhookRow(tx, webhook, {
    isActive: false,
    inactiveSince: now,
    inactiveReason: reason,
    updatedAt: now,
  });
  await pauseLane(tx, webhook.id);
  const accountId = mintAccountId(webhook.accountId);
  const { id, uuid, name } = webhook;
  const toTouch = await publishEvent(tx, {
    accountId,
    now,
    event: { type: 'webhook.deactivated', data: { webhook: { id, uuid, name }, reason } },
  });
  await recordAudit(tx, {
    accountId,
    by: deliverySystem,
    origin: null,
    action: 'webhook.deactivated',
    at: now,
    target: { kind: 'webhook', id: uuid, name },
    changes: { reason, failing_since: webhook.failingSince, failure_count: webhook.failureCount },
  });
  ctx.log.warn({ webhook_id: webhook.id, reason }, 'webhook deactivated');
  const mail = deactivationMail(ctx, webhook, reason);
  const notices = await notifyManagers(tx, { webhook, occasion: now.toISOString(), mail, now });
  return { notices, toTouch };
}
