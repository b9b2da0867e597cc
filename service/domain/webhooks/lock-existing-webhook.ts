import type { Tx } from '../../db/open.ts';
import type { AccountId } from '../account-id.ts';
import { notFound } from '../errors.ts';
import { lockWebhook } from './store/webhooks.ts';
import type { WebhookRow } from './store/webhooks.ts';

/**
 * The webhook, active or not, locked for a transaction that changes what belongs to it.
 * @throws ServiceError NOT_FOUND
 */
export async function lockExistingWebhook(
  tx: Tx,
  accountId: AccountId,
  id: number,
): Promise<WebhookRow> {
  const webhook = await lockWebhook(tx, accountId, { kind: 'id', id });
  if (!webhook) throw notFound();
  return webhook;
}
