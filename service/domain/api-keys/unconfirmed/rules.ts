import { isUnconfirmed } from '../rules.ts';
import type { DecidedRotation } from '../rules.ts';
import type { TokenRow } from '../store/tokens.ts';

/**
 * The token that becomes the newest again if the rotation that made the newest one is undone. Null
 * if it cannot be undone: the newest token must be unconfirmed, and the one before it still valid.
 *
 * @param tokens valid tokens of the key, newest first
 */
export function tokenRestoredByUndo(tokens: readonly TokenRow[]): TokenRow | null {
  const [newest, ...older] = tokens;
  if (!newest || !isUnconfirmed(newest)) return null;
  return older.find(({ id }) => id === newest.undoTokenId) ?? null;
}

/**
 * When the rotations were made that undoing the latest one undoes: the latest, and those before it
 * whose unused token the next one replaced at once.
 *
 * @param earlier the tokens that were made before and could be undone to the same token, newest
 *   first
 */
export function rotationsUndoneWith(latest: TokenRow, earlier: readonly TokenRow[]): Date[] {
  const madeAt = [latest.createdAt];
  for (const { createdAt, validUntil } of earlier) {
    const replacedBy = madeAt.at(-1);
    // The rotation that made this one was undone earlier.
    if (validUntil?.getTime() !== replacedBy?.getTime()) break;
    madeAt.push(createdAt);
  }
  return madeAt;
}

/**
 * The token to which a rotation can be undone: the one to which the rotation gives a deadline. If
 * the rotation replaces an unused token, undoing it also undoes the rotation that made that token.
 */
export function undoTokenIdOf({
  tokenOutcomes,
  replacedUnused,
}: Pick<DecidedRotation, 'tokenOutcomes' | 'replacedUnused'>): number | null {
  if (replacedUnused) return replacedUnused.undoTokenId;
  const [newest] = tokenOutcomes;
  return newest?.validUntil ? newest.token.id : null;
}
