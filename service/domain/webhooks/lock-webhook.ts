import { eventAccessOf, type EventType, type TestEventType } from '#lib/contract/events/events.ts';
import type { Clock } from '../../clock.ts';
import type { Tx } from '../../db/open.ts';
import type { AccountId } from '../account-id.ts';
import type { Actor } from '../actor.ts';
import { confirmCaller } from '../api-keys/confirm-actor.ts';
import { invalid, notFound } from '../errors.ts';
import { parseResourceReference } from '../resource-reference.ts';
import { lockWebhook, type WebhookRow } from './store/webhooks.ts';

/**
 * The webhook, locked, for a transaction that makes a delivery due for it.
 * @throws ServiceError NOT_FOUND; VALIDATION_ERROR on `webhook` if it is inactive
 */
export async function lockActiveWebhook(
  tx: Tx,
  accountId: AccountId,
  id: number,
): Promise<WebhookRow> {
  const webhook = await lockExistingWebhook(tx, accountId, id);
  if (webhook.isActive) return webhook;
  const advice = webhook.inactiveReason === 'setup' ? 'Activate' : 'Resume';
  throw invalid('webhook', `This webhook is inactive. ${advice} it first.`);
}

/**
 * The webhook, active or not, locked for a transaction that changes it or what belongs to it.
 *
 * @param name its id, or its UUID
 * @throws ServiceError NOT_FOUND
 */
export async function lockExistingWebhook(
  tx: Tx,
  accountId: AccountId,
  name: string | number,
): Promise<WebhookRow> {
  const reference = parseResourceReference(String(name));
  const webhook = reference && (await lockWebhook(tx, accountId, reference));
  if (!webhook) throw notFound();
  return webhook;
}

/**
 * Prevents actors from having a webhook send them events that they may not read: a key that manages
 * webhooks but may not see keys cannot subscribe a webhook to events about keys, and cannot change
 * the URL of a webhook that is subscribed to them.
 *
 * @param options.events the event types that a receiver will get and did not get before
 * @throws ServiceError FORBIDDEN
 */
export async function confirmReader(
  tx: Tx,
  actor: Actor,
  { events, clock }: { events: readonly (EventType | TestEventType)[]; clock: Clock },
): Promise<void> {
  for (const type of events) {
    const access = eventAccessOf(type);
    if (access === null) continue;
    const refusal = `This API key needs the scope ${access.scope} to have ${type} sent to a URL.`;
    await confirmCaller(tx, actor, { ...access, clock, refusal });
  }
}
