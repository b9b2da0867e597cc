import type { Context } from '../../../context.ts';
import { lockAppSecrets, updateApp } from '../store/second-factors.ts';
import { openAppSecret, sealAppSecret } from './authenticator-app.ts';

const batchSize = 500;

/**
 * Seals the secret of every authenticator app with the current key, whichever sealed it before, so
 * that the previous key is needed for this one start only. Ends in the middle without harm: each batch
 * is a transaction, and a secret opens with either key until all are done.
 *
 * @returns how many there were
 */
export async function resealAppSecrets({
  db,
  cipher,
}: Pick<Context, 'db' | 'cipher'>): Promise<number> {
  let after: string | null = null;
  let count = 0;
  do {
    after = await db.transaction(async (tx): Promise<string | null> => {
      const apps = await lockAppSecrets(tx, { after, limit: batchSize });
      for (const app of apps) {
        const sealedSecret = sealAppSecret({ cipher }, openAppSecret({ cipher }, app), app);
        await updateApp(tx, app.personId, { sealedSecret });
      }
      count += apps.length;
      return apps.at(-1)?.personId ?? null;
    });
  } while (after !== null);
  return count;
}
