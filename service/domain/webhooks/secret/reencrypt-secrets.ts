import type { Context } from '../../../context.ts';
import { reencryptInBatches } from '../../reencrypt-in-batches.ts';
import { lockSealedSecrets, replaceSealedSecret } from '../store/secrets.ts';

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
