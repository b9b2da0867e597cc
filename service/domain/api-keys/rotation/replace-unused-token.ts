import { listNames } from '#lib/list-names.ts';
import { formatApiTime } from '#lib/time.ts';
import type { Context } from '../../../context.ts';
import { digestToken, lastFour, newToken } from '../../../tokens/token.ts';
import { actorReference, type Actor } from '../../actor.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import { runEffects } from '../../effects.ts';
import {
  refuseUnfitRepeat,
  repeatError,
  type EarlierRequest,
} from '../../idempotency/claim-request.ts';
import type { Notice } from '../../people/notices/notices.ts';
import { saveNow, termUntil } from '../../secret-messages.ts';
import { disclosedTo } from '../../disclosure.ts';
import type { LockedApiKey } from '../change-api-key.ts';
import { isExpired, tokenValidUntil, type DecidedRotation } from '../rules.ts';
import type { ApiKeyRow } from '../store/keys.ts';
import { replaceUnusedTokenRow, validTokens, type TokenRow } from '../store/tokens.ts';
import type { MadeToken } from '../tokens/is-own-rotation.ts';

type Effecting = Pick<Context, 'effects'>;
type LockedKey = Pick<LockedApiKey, 'tx' | 'key' | 'now'>;

/**
 * Responds to a repeated rotation with the same `Idempotency-Key`: replaces the token that the
 * first request made, and rotates nothing again.
 *
 * @throws ServiceError VALIDATION_ERROR on `Idempotency-Key` for a repeat that is refused
 */
export async function repeatRotation(
  ctx: Effecting,
  actor: Actor,
  { tx, key, now, earlier }: LockedApiKey & { earlier: EarlierRequest<MadeToken> },
): Promise<{ token: string; message: string; notices: Notice[] }> {
  const replaced = await replaceUnusedToken(ctx, actor, { tx, key, earlier, now });
  const message = describeReplacement(replaced, { key, now });
  // Of the rotation itself, people were told already.
  return { token: replaced.token, message, notices: [] };
}

/** A token that replaced one that nobody used. */
type ReplacedToken = {
  token: string;
  /** The key's valid tokens, newest first: the new one, and the older ones as they were. */
  tokens: TokenRow[];
  replacedUnused: TokenRow;
};

/**
 * Responds to the repeat of a request that made a token: replaces that token, which can then never
 * be used, with a new one. Everything else stays, including the deadlines of older tokens. The
 * caller must have confirmed its actor and locked the key.
 *
 * @throws ServiceError VALIDATION_ERROR on `Idempotency-Key` if the request differs or comes too
 *   late, if the key is revoked or expired, or if the token was used, confirmed, replaced for
 *   someone else or is no longer the newest
 */
export async function replaceUnusedToken(
  ctx: Effecting,
  actor: Actor,
  { tx, key, earlier, now }: LockedKey & { earlier: EarlierRequest<MadeToken> },
): Promise<ReplacedToken> {
  const advice = `To get another token, rotate key ${key.id} with a new Idempotency-Key.`;
  const adviceIfEnded = describeEndedKey(key, now);
  refuseUnfitRepeat(earlier, { now, advice: adviceIfEnded ?? advice });
  if (adviceIfEnded !== null) throw repeatError(adviceIfEnded);
  const [newest, ...older] = await validTokens(tx, key, now);
  if (newest && newest.id < earlier.kept.tokenId) {
    throw repeatError(
      `The token that this request made has ended: the rotation was undone. ${advice}`,
    );
  }
  if (newest?.id !== earlier.kept.tokenId) {
    const since = newest
      ? `at ${formatApiTime(newest.createdAt)} by ${newest.createdBy.name}`
      : 'since';
    throw repeatError(`The token that this request made was replaced ${since}. ${advice}`);
  }
  if (actor.kind === 'person' && newest.unconfirmedSince === null) {
    throw repeatError(`The token of this request was confirmed. ${advice}`);
  }
  if (newest.shownTo && newest.shownTo.id !== actorReference(actor).id) {
    throw repeatError(
      `The token that this request made was replaced, and ${newest.shownTo.name} was shown the new one. ${advice}`,
    );
  }
  const replaced = await replaceTokenInPlace(ctx, actor, {
    tx,
    key,
    tokens: [newest, ...older],
    now,
  });
  if (!replaced) {
    throw repeatError(
      `The token that this request made has been used, so you received it. ${advice}`,
    );
  }
  return replaced;
}

/**
 * Replaces the newest token with a new one if it was never used; returns null if it was. Everything
 * else stays, including the deadlines of older tokens.
 *
 * @param options `tokens`: valid tokens of the key, newest first
 */
export async function replaceTokenInPlace(
  { effects }: Effecting,
  actor: Actor,
  { tx, key, tokens, now }: LockedKey & { tokens: readonly TokenRow[] },
): Promise<ReplacedToken | null> {
  const [newest, ...older] = tokens;
  if (!newest) throw new Error('the key has no token');
  const token = newToken();
  const row = await replaceUnusedTokenRow(tx, newest, {
    digest: digestToken(token),
    lastFour: lastFour(token),
    replacedUnusedAt: now,
    ...disclosedTo(actor, now),
  });
  if (!row) return null;
  await recordAudit(tx, {
    actor,
    action: 'api_key.token_replaced',
    at: now,
    target: { kind: 'api_key', id: key.uuid, name: key.name },
    changes: { last_four: row.lastFour, replaced_last_four: newest.lastFour },
  });
  const valid = [row, ...older];
  await runEffects(tx, effects.tokensEnded, { actor, key, validTokens: valid, now });
  return { token, tokens: valid, replacedUnused: newest };
}

/** What to do instead of repeating the request, if the key can no longer be rotated. */
function describeEndedKey(key: ApiKeyRow, now: Date): string | null {
  const ended = key.revokedAt ? 'revoked' : isExpired(key, now) ? 'expired' : null;
  if (ended === null) return null;
  return `The key of this request is ${ended}. Create a new one with a new Idempotency-Key.`;
}

/**
 * The message that is returned with a new token: what happens to each older token. For one older
 * token it is the documented sentence (specification 4.4); several are named by their last four.
 */
export function describeRotation(
  { tokenOutcomes, replacedUnused }: Pick<DecidedRotation, 'tokenOutcomes' | 'replacedUnused'>,
  now: Date,
): string {
  const kept = tokenOutcomes.flatMap(({ token, validUntil }) =>
    validUntil ? [{ lastFour: token.lastFour, term: termUntil(validUntil, now) }] : [],
  );
  const [only, ...more] = kept;
  const sentences = [saveNow('token')];
  if (!only && tokenOutcomes.length > 0) {
    const ended = tokenOutcomes.map(({ token }) => token.lastFour);
    const named =
      ended.length > 1 ? `: the ones ending in ${listNames(ended, { most: Infinity })}` : '';
    sentences.push(`Every older token has stopped working${named}.`);
  } else if (only && more.length === 0) {
    sentences.push(`The old token stays valid ${only.term}.`);
  } else if (only) {
    const each = kept.map((one) => `the one ending in ${one.lastFour} ${one.term}`);
    sentences.push(`The older tokens stay valid: ${each.join('; ')}.`);
  }
  if (replacedUnused) {
    sentences.push(describeReplacedUnused(replacedUnused));
  }
  return sentences.join(' ');
}

/** The sentence about a token that was replaced immediately because it was never used. */
export function describeReplacedUnused(token: Pick<TokenRow, 'lastFour'>): string {
  return `The token ending in ${token.lastFour}, which was never used, has stopped working.`;
}

export function describeReplacement(
  { tokens, replacedUnused }: Pick<ReplacedToken, 'tokens' | 'replacedUnused'>,
  { key, now }: { key: ApiKeyRow; now: Date },
): string {
  const tokenOutcomes = tokens
    .slice(1)
    .map((token) => ({ token, validUntil: tokenValidUntil(token, key.expiresAt) }));
  return describeRotation({ tokenOutcomes, replacedUnused }, now);
}
