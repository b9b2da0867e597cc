import type { DecidedRotation } from '../rules.ts';
import type { TokenRow } from '../store/tokens.ts';

/** A token that was shown to a person, who has not confirmed having it; nobody has used it either. */
export type UnconfirmedToken = TokenRow & { unconfirmedSince: Date };

/**
 * Whether nobody is known to have a token. A call made with it shows that somebody does, as well as
 * the person's word.
 */
export function isUnconfirmed<Token extends Pick<TokenRow, 'unconfirmedSince' | 'firstUsedAt'>>(
  token: Token,
): token is Token & { unconfirmedSince: Date } {
  return token.unconfirmedSince !== null && token.firstUsedAt === null;
}

/**
 * The token that is the newest again if the rotation that made the newest one is undone; null if
 * that cannot be: nobody may depend on the newest, and the one before it must be valid still.
 *
 * @param tokens valid tokens of the key, newest first
 */
export function tokenRestoredByUndo(tokens: readonly TokenRow[]): TokenRow | null {
  const [newest, ...older] = tokens;
  if (!newest || !isUnconfirmed(newest)) return null;
  return older.find(({ id }) => id === newest.undoTokenId) ?? null;
}

/**
 * The token to which a rotation can be undone: the one that is given a deadline by it. If it replaces
 * a token that nobody had, undoing it undoes the rotation that made that one as well.
 */
export function undoTokenIdOf({
  fates,
  replacedUnused,
}: Pick<DecidedRotation, 'fates' | 'replacedUnused'>): number | null {
  if (replacedUnused) return replacedUnused.undoTokenId;
  const [newest] = fates;
  return newest?.validUntil ? newest.token.id : null;
}
