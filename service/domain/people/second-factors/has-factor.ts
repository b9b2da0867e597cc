import type { Db, Tx } from '../../../db/open.ts';
import { countFactors } from '../store/second-factors.ts';
import type { FactorCounts } from '../store/second-factors.ts';

/** Whether a person has a second factor in use. Recovery codes alone do not count. */
export function isFactorIn({ app, passkeys }: Pick<FactorCounts, 'app' | 'passkeys'>): boolean {
  return app || passkeys > 0;
}

/** The same for a person whose factors have not been read yet. */
export async function hasFactor(db: Db | Tx, personId: string): Promise<boolean> {
  return isFactorIn(await countFactors(db, personId));
}
