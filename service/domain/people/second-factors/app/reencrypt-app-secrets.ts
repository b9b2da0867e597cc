import type { Context } from '../../../../context.ts';
import { reencryptInBatches } from '../../../reencrypt-in-batches.ts';
import { lockAppSecrets, updateApp } from '../../store/second-factors.ts';
import { openAppSecret, sealAppSecret } from './authenticator-app.ts';

/**
 * Encrypts the secret of every authenticator app with the current key, so that the previous key is
 * needed for this one start only. Until all are done, a secret can be decrypted with either key.
 *
 * @returns how many there were
 */
export async function reencryptAppSecrets({
  db,
  cipher,
}: Pick<Context, 'db' | 'cipher'>): Promise<number> {
  return await reencryptInBatches(db, {
    lock: lockAppSecrets,
    nameOf: ({ personId }) => personId,
    async replace(tx, app) {
      const sealedSecret = sealAppSecret({ cipher }, openAppSecret({ cipher }, app), app);
      await updateApp(tx, app.personId, { sealedSecret });
    },
  });
}
