import type { Webhook, WebhookItem } from '#lib/contract/webhooks/webhook.ts';
import { formatApiTime } from '#lib/time.ts';
import type { Actor } from '../actor.ts';
import { notFound } from '../errors.ts';
import { shownUrl } from '../shown-url.ts';
import { endsOf } from './rules.ts';
import type { SecretPeriod, WebhookWithSecrets } from './store/secrets.ts';
import type { WebhookRow } from './store/webhooks.ts';

/** A webhook as the list shows it to an actor: the nine documented fields. */
export function describeWebhookItem(webhook: WebhookRow, actor: Actor): WebhookItem {
  return {
    id: webhook.id,
    uuid: webhook.uuid,
    name: webhook.name,
    url: shownUrl(actor, webhook.url),
    events: webhook.events,
    is_active: webhook.isActive,
    failure_count: webhook.failureCount,
    last_triggered_at: webhook.lastTriggeredAt && formatApiTime(webhook.lastTriggeredAt),
    created_at: formatApiTime(webhook.createdAt),
  };
}

/**
 * A webhook with the details of its state. Of its secret it shows only whether anyone has it.
 *
 * @throws ServiceError NOT_FOUND if it was deleted after it was read, and its secrets with it
 */
export function describeWebhook({ webhook, secrets }: WebhookWithSecrets, actor: Actor): Webhook {
  const [newest, ...older] = secrets;
  if (!newest) throw notFound();
  const { previous } = endsOf(older.flatMap(({ validUntil }) => validUntil ?? []));
  return {
    ...describeWebhookItem(webhook, actor),
    status: statusOfWebhook(webhook),
    inactive_since: webhook.inactiveSince && formatApiTime(webhook.inactiveSince),
    inactive_reason: webhook.inactiveReason,
    failing_since: webhook.failingSince && formatApiTime(webhook.failingSince),
    secret: {
      created_at: formatApiTime(newest.createdAt),
      was_shown: newest.shownTo !== null,
      unconfirmed: describeUnconfirmed(newest),
      previous_valid_until: previous && formatApiTime(previous),
    },
    updated_at: formatApiTime(webhook.updatedAt),
  };
}

function describeUnconfirmed({
  unconfirmedSince,
  shownTo,
}: SecretPeriod): Webhook['secret']['unconfirmed'] {
  if (!unconfirmedSince || !shownTo) return null;
  return { since: formatApiTime(unconfirmedSince), shown_to: shownTo };
}

/** The status of a webhook, which is more detailed than `is_active`. */
export function statusOfWebhook(
  webhook: Pick<WebhookRow, 'isActive' | 'inactiveReason'>,
): Webhook['status'] {
  if (webhook.isActive) return 'active';
  if (webhook.inactiveReason === 'setup') return 'pending_setup';
  return webhook.inactiveReason === 'paused' ? 'paused' : 'deactivated';
}
