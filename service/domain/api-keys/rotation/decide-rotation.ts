import type { z } from 'zod';
import type { rotationInput, RotationPreview } from '#lib/contract/api-keys/rotation.ts';
import { mayGiveGrace, minKeptSeconds } from '#lib/contract/fields/grace-period.ts';
import { formatApiTime, formatDuration } from '#lib/time.ts';
import type { Context } from '../../../context.ts';
import type { Tx } from '../../../db/open.ts';
import type { Actor } from '../../actor.ts';
import { forbidden, invalid } from '../../errors.ts';
import { refuseEndedKey, withLockedApiKey, type LockedApiKey } from '../change-api-key.ts';
import { isUnconfirmed, maxValidTokens, planRotation, type DecidedRotation } from '../rules.ts';
import type { ApiKeyRow } from '../store/keys.ts';
import { findLatestToken, lockValidTokens, type TokenRow } from '../store/tokens.ts';

/** What a rotation would do to each valid token, newest first. @throws as `rotateApiKey` would */
export async function previewRotation(
  ctx: Context,
  actor: Actor,
  input: { apiKey: string } & z.output<typeof rotationInput>,
): Promise<RotationPreview> {
  const { tokenOutcomes } = await withLockedApiKey(ctx, actor, {
    apiKey: input.apiKey,
    act: 'api-keys.rotate',
    work: (locked) => decideRotation(ctx, actor, { ...locked, input }),
  });
  return {
    tokens: tokenOutcomes.map(({ token, validUntil }) => ({
      last_four: token.lastFour,
      valid_until: validUntil && formatApiTime(validUntil),
      ends_now: validUntil === null,
    })),
  };
}

/**
 * What a rotation of a locked key does to each of its tokens.
 *
 * @throws ServiceError FORBIDDEN if it would end a token that the actor may not end;
 *   VALIDATION_ERROR if the key is revoked or expired, if too many tokens would
 *   be valid afterwards, or if `expected_last_four` is not the newest token's
 */
export async function decideRotation(
  ctx: Pick<Context, 'config'>,
  actor: Actor,
  { tx, key, now, mayEndTokens, input }: LockedApiKey & { input: z.output<typeof rotationInput> },
): Promise<DecidedRotation> {
  const graceSeconds = input.grace_period_seconds ?? ctx.config.rotationGraceSeconds;
  if (!mayGiveGrace(graceSeconds, { mayEndTokens })) throw forbidden('role', tooShort);
  refuseEndedKey(key, now);
  const tokens = await lockValidTokens(tx, key, now);
  await refuseOtherToken(tx, key, { tokens, expected: input.expected_last_four });

  const plan = planRotation(tokens, {
    now,
    graceSeconds,
    keyExpiresAt: key.expiresAt,
  });
  if (plan.kind === 'too_many') throw tooManyTokens(plan.endFirst);
  if (!mayEndTokens && plan.replacedUnused) refuseToReplace(actor, plan.replacedUnused);
  return plan;
}

const tooShort = `Your role cannot end a token that still works, so the old one must stay valid for ${formatDuration(minKeptSeconds)} at least. If it may have leaked, request a rotation with the reason “The token may have leaked”: then you can revoke the key immediately.`;

function tooManyTokens({ id, lastFour, lastUsedAt }: TokenRow): Error {
  const use = lastUsedAt ? `last used at ${formatApiTime(lastUsedAt)}` : 'never used';
  return invalid(
    'api_key',
    `This key has ${maxValidTokens} valid tokens, the maximum. End one first; the one ending in ${lastFour} (token ${id}, ${use}) is the least used. Or rotate with a grace period of 0, which ends every older token.`,
  );
}

/**
 * Refuses a request if the key's newest token is not the one the caller expected, and says what
 * happened to that one.
 *
 * @param options `tokens`: valid tokens of the key, newest first; `expected`: the last four
 *   characters that the caller sent, if any
 * @throws ServiceError VALIDATION_ERROR on `expected_last_four`
 */
export async function refuseOtherToken(
  tx: Tx,
  key: ApiKeyRow,
  { tokens, expected }: { tokens: readonly TokenRow[]; expected: string | undefined },
): Promise<void> {
  const [newest] = tokens;
  if (!newest || expected === undefined || newest.lastFour === expected) return;
  const known = await findLatestToken(tx, key, expected);
  throw invalid('expected_last_four', explainMismatch({ expected, known, newest }));
}

function explainMismatch({
  expected,
  known,
  newest,
}: {
  expected: string;
  known: TokenRow | null;
  newest: TokenRow;
}): string {
  const now = `The newest token of this key ends in ${newest.lastFour}.`;
  if (known && known.id < newest.id) {
    return `This key was already rotated at ${formatApiTime(newest.createdAt)} by ${newest.createdBy.name}.`;
  }
  if (known) return `The rotation to the token ending in ${expected} was undone. ${now}`;
  // A token that was replaced in its row leaves one trace: the row was created before its present
  // token was shown.
  if (isUnconfirmed(newest) && newest.shownTo && newest.unconfirmedSince > newest.createdAt) {
    return `The unused token of this key was replaced at ${formatApiTime(newest.unconfirmedSince)}, and ${newest.shownTo.name} was shown the new one, which ends in ${newest.lastFour}.`;
  }
  return now;
}

/**
 * Refuses to replace an unused token for an actor who may not end tokens, unless the token was not
 * shown to anyone but the actor: someone else may be about to use it.
 *
 * @throws ServiceError FORBIDDEN
 */
export function refuseToReplace(actor: Actor, { lastFour, shownTo }: TokenRow): void {
  if (actor.kind === 'person' && shownTo?.id === actor.personId) return;
  const shown = shownTo ? `was shown to ${shownTo.name}` : 'was not shown to anyone';
  throw forbidden(
    'role',
    `The newest token, ending in ${lastFour}, ${shown} and was never used: a rotation would end it immediately, which your role cannot do. Request a rotation instead.`,
  );
}
