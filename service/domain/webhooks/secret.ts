import { randomBytes } from 'node:crypto';
import type { Context } from '../../context.ts';

/**
 * A signing secret that nobody has seen: `whsec_` and the base64 of 32 random bytes, as Standard
 * Webhooks writes symmetric secrets.
 */
export function newSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

/** The secret as it is stored: it opens for its own row only. */
export function sealSecret(
  { cipher }: Pick<Context, 'cipher'>,
  secret: string,
  { uuid, accountId }: { uuid: string; accountId: string },
): Buffer {
  return cipher.seal(secret, { table: 'webhook_secrets', uuid, accountId });
}
