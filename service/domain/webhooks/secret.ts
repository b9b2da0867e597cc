import { randomBytes, randomUUID } from 'node:crypto';
import type { Context } from '../../context.ts';
import type { NewSecretRow } from './store.ts';

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

/** A new secret, and the row that stores it. `revealedTo` is null if nobody is shown the secret. */
export function makeSecret(
  ctx: Pick<Context, 'cipher'>,
  about: Pick<NewSecretRow, 'accountId' | 'webhookId' | 'createdAt'> & {
    revealedTo: NewSecretRow['revealedTo'];
  },
): { secret: string; row: NewSecretRow } {
  const secret = newSecret();
  const row = { ...about, uuid: randomUUID() };
  return { secret, row: { ...row, sealed: sealSecret(ctx, secret, row) } };
}
