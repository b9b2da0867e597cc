import { olderTokens, type OlderToken } from '#components/shell/states/older-tokens.ts';
import type { ApiKey, ApiKeyToken } from '#lib/contract/api-keys/api-key.ts';

/** The newest token of a key, which nobody confirmed having. */
export type UnconfirmedToken = ApiKeyToken & {
  unconfirmed: NonNullable<ApiKeyToken['unconfirmed']>;
};

/** Null if the newest token is confirmed, and for a key that has no valid token. */
export function unconfirmedToken({ tokens }: Pick<ApiKey, 'tokens'>): UnconfirmedToken | null {
  const [newest] = tokens;
  return newest?.unconfirmed ? { ...newest, unconfirmed: newest.unconfirmed } : null;
}

/** What a person can do about an unconfirmed token, besides revoking its key. */
export type UnconfirmedOptions = {
  /** Whether they can confirm having the token that was shown to them: they may rotate keys. */
  canConfirm: boolean;
  canReplace: boolean;
  /** The token that is the newest again if they undo the rotation; null if they cannot. */
  undoRestores: OlderToken | null;
};

type Person = {
  id: string;
  mayRotate: boolean;
  maySeeToken: boolean;
  /** Whether they may end tokens that someone may be about to use. */
  mayEndTokens: boolean;
};

/** The service decides the same for itself; this hides what it would refuse. */
export function findUnconfirmedOptions(
  apiKey: Pick<ApiKey, 'tokens'>,
  { person, now }: { person: Person; now: Date },
): UnconfirmedOptions {
  const token = unconfirmedToken(apiKey);
  if (!token) return { canConfirm: false, canReplace: false, undoRestores: null };
  const wasShown = token.unconfirmed.shown_to?.id === person.id;
  const restored = olderTokens(apiKey, now).find(
    ({ last_four: lastFour }) => lastFour === token.unconfirmed.undo_restores,
  );
  const mayUndo = person.mayEndTokens || (wasShown && token.created_by.id === person.id);
  return {
    canConfirm: person.mayRotate && wasShown,
    canReplace: person.maySeeToken && (person.mayEndTokens || wasShown),
    undoRestores: (person.maySeeToken && mayUndo && restored) || null,
  };
}
