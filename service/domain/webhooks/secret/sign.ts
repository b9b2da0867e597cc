import { createHmac } from 'node:crypto';
import type { KeyObject } from 'node:crypto';

/**
 * The headers of a delivery, without static ones.
 *
 * @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
export function deliveryHeaders(
  { messageId, body, secrets }: { messageId: string; body: string; secrets: readonly KeyObject[] },
  at: Date,
): Record<string, string> {
  const timestamp = Math.floor(at.getTime() / 1000);
  return {
    'Content-Type': 'application/json',
    'User-Agent': 'ConversationService-Webhooks/1',
    'webhook-id': messageId,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signMessage({ messageId, timestamp, body }, secrets),
  };
}

/**
 * The value of `webhook-signature`: one `v1,…` entry for each valid secret, so that a receiver that
 * still checks with the replaced secret keeps working.
 *
 * @param message `timestamp` in whole seconds since 1970, as in `webhook-timestamp`
 * @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md#signature-scheme
 */
export function signMessage(
  message: { messageId: string; timestamp: number; body: string },
  secrets: readonly KeyObject[],
): string {
  const signed = `${message.messageId}.${message.timestamp}.${message.body}`;
  return secrets
    .map((secret) => `v1,${createHmac('sha256', secret).update(signed).digest('base64')}`)
    .join(' ');
}
