import { createSecretKey, randomBytes, randomUUID, type KeyObject } from 'node:crypto';
import type { Context } from '../../../context.ts';
import { reencryptInBatches } from '../../in-batches.ts';
import type { Disclosure } from '../../disclosure.ts';
import { lockSealedSecrets, replaceSealedSecret, type NewSecretRow } from '../store/secrets.ts';
import type { WebhookRow } from '../store/webhooks.ts';

/** `whsec_` and the base64 of 32 random bytes, as Standard Webhooks has symmetric secrets. */
export function newSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

/**
 * A signing secret as a key to sign with. Importing it takes longer than a signature.
 *
 * @param secret as `whsec_` and base64
 */
export function importSecret(secret: string): KeyObject {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  if (!secret.startsWith('whsec_') || key.length === 0) {
    throw new Error('A signing secret is not `whsec_` followed by base64.');
  }
  return createSecretKey(key);
}

/** The secret in encrypted form, which can be decrypted for its own row only. */
export function sealSecret(
  { cipher }: Pick<Context, 'cipher'>,
  secret: string,
  { uuid, accountId }: { uuid: string; accountId: string },
): Buffer {
  return cipher.seal(secret, { table: 'webhook_secrets', uuid, accountId });
}

/** The secret that a row stores. */
export function openSecret(
  { cipher }: Pick<Context, 'cipher'>,
  { sealed, uuid, accountId }: { sealed: Buffer; uuid: string; accountId: string },
): string {
  return cipher.open(sealed, { table: 'webhook_secrets', uuid, accountId });
}

/**
 * The same, or null if it cannot be decrypted: its webhook can still be read, paused and deleted, and
 * get a new secret.
 */
export function openSecretIfPossible(
  ctx: Pick<Context, 'cipher'>,
  row: Parameters<typeof openSecret>[1],
): string | null {
  try {
    return openSecret(ctx, row);
  } catch {
    return null;
  }
}

/**
 * The last four characters of a secret, by which people recognize it. They are stored nowhere but in
 * the secret. Null if it cannot be decrypted.
 */
export function lastFourOf(...row: Parameters<typeof openSecretIfPossible>): string | null {
  return openSecretIfPossible(...row)?.slice(-4) ?? null;
}

/** A new secret, and the row that stores it. `shown` is null if nobody is shown the secret. */
export function makeSecret(
  ctx: Pick<Context, 'cipher'>,
  {
    shown,
    ...columns
  }: Pick<NewSecretRow, 'accountId' | 'webhookId' | 'createdAt'> & { shown: Disclosure | null },
): { secret: string; row: NewSecretRow } {
  const secret = newSecret();
  const row = { ...columns, ...shown, uuid: randomUUID() };
  return { secret, row: { ...row, sealed: sealSecret(ctx, secret, row) } };
}

/** What the newest secret of a webhook signs: nothing while the webhook is inactive. */
export function describeSigning({ inactiveReason }: Pick<WebhookRow, 'inactiveReason'>): string {
  if (inactiveReason === null) return 'Deliveries are signed with it.';
  const active = inactiveReason === 'setup' ? 'active' : 'resumed';
  return `Deliveries will be signed with it once the webhook is ${active}.`;
}

/**
 * Encrypts every stored signing secret with the current key, so that the previous key is needed for
 * this one start only. Until all are done, a secret can be decrypted with either key.
 *
 * @returns how many there were
 */
export async function reencryptSecrets({
  db,
  cipher,
}: Pick<Context, 'db' | 'cipher'>): Promise<number> {
  return await reencryptInBatches(db, {
    lock: lockSealedSecrets,
    nameOf: ({ uuid }) => uuid,
    async replace(tx, { uuid, accountId, sealed }) {
      const about = { table: 'webhook_secrets', uuid, accountId };
      await replaceSealedSecret(tx, uuid, cipher.seal(cipher.open(sealed, about), about));
    },
  });
}
