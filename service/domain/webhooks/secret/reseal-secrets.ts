import type { Context } from '../../../context.ts';
import { lockSealedSecrets, replaceSealedSecret } from '../store.ts';

const batchSize = 500;

/**
 * Seals every stored signing secret with the current key, whichever sealed it before, so that the
 * previous key is needed for this one start only. Ends in the middle without harm: each batch is
 * a transaction, and a secret opens with either key until all are done.
 *
 * @returns how many there were
 */
export async function resealSecrets({
  db,
  cipher,
}: Pick<Context, 'db' | 'cipher'>): Promise<number> {
  let after: string | null = null;
  let count = 0;
  do {
    after = await db.transaction(async (tx): Promise<string | null> => {
      const secrets = await lockSealedSecrets(tx, { after, limit: batchSize });
      for (const { uuid, accountId, sealed } of secrets) {
        const about = { table: 'webhook_secrets', uuid, accountId };
        await replaceSealedSecret(tx, uuid, cipher.seal(cipher.open(sealed, about), about));
      }
      count += secrets.length;
      return secrets.at(-1)?.uuid ?? null;
    });
  } while (after !== null);
  return count;
}
