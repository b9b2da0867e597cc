import type { Db } from '../../db/open.ts';
import type { ApiKeyRow } from './store/keys.ts';
import { findTokenByDigest as findRecord } from './store/tokens.ts';

/**
 * The token with this digest and its key, whatever their state and account, unless the account is
 * being deleted.
 */
export async function findTokenByDigest(
  db: Db,
  digest: Buffer,
): Promise<{ key: ApiKeyRow; token: { lastFour: string } } | null> {
  return await findRecord(db, digest);
}
