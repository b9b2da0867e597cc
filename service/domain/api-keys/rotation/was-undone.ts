import type { Tx } from '../../../db/open.ts';
import { findLatestToken } from '../store/tokens.ts';
import type { ApiKeyRow } from '../store/keys.ts';
import type { TokenRow } from '../store/tokens.ts';

/**
 * Whether a rotation that made a token with these last four characters was undone, and the key was
 * not rotated since. After an undo, an older token is the newest again.
 */
export async function wasUndone(
  tx: Tx,
  key: ApiKeyRow,
  { newest, lastFour }: { newest: TokenRow; lastFour: string },
): Promise<boolean> {
  if (newest.lastFour === lastFour) return false;
  const found = await findLatestToken(tx, key, lastFour);
  return found !== null && found.id > newest.id;
}
