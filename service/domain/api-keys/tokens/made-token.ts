import type { Actor } from '../../actor.ts';

/**
 * What a request with an `Idempotency-Key` made, as it is kept for a repeat: ids alone. A token, or
 * what could be made of one, is never stored.
 */
export type MadeToken = {
  apiKeyId: number;
  tokenId: number;
  /** The token the request came with; null if a person sent it. */
  callerTokenId: number | null;
};

/**
 * Whether a request put the very token it came with into its grace: a key rotated itself. Then that
 * token may repeat the request, since the answer with the new one may be lost.
 */
export function isOwnRotation(made: MadeToken, actor: Actor): boolean {
  return (
    actor.kind === 'api_key' &&
    made.apiKeyId === actor.keyId &&
    made.callerTokenId === actor.tokenId
  );
}
