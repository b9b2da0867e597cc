import type { Tx } from '../../db/open.ts';
import type { AccountId } from '../account-id.ts';
import { invalid } from '../errors.ts';
import { lockExistingWebhook } from './lock-existing-webhook.ts';
import type { WebhookRow } from './store/webhooks.ts';

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
