import { createHmac } from 'node:crypto';
import type { KeyObject } from 'node:crypto';

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
