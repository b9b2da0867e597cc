import type { Actor } from '../../actor.ts';

/**
 * What is stored about the token that a request with an `Idempotency-Key` made: ids only. Neither
 * the token nor anything from which it could be derived is stored.
 */
export type MadeToken = {
  apiKeyId: number;
  tokenId: number;
  /** The token the request came with; null if a person sent it. */
  callerTokenId: number | null;
};

/**
 * Whether a key rotated itself, which put the token of the request into its grace period. That
 * token may repeat the request, because the response with the new token may have been lost.
 */
export function isOwnRotation(made: MadeToken, actor: Actor): boolean {
  return (
    actor.kind === 'api_key' &&
    made.apiKeyId === actor.keyId &&
    made.callerTokenId === actor.tokenId
  );
}
