import type { z } from 'zod';
import type { rotationInput } from '#lib/contract/api-keys/rotation.ts';
import { mayGiveGrace, minKeptSeconds } from '#lib/contract/fields/grace-period.ts';
import { formatApiTime, formatDuration } from '#lib/time.ts';
import type { Context } from '../../../context.ts';
import type { Actor } from '../../actor.ts';
import { forbidden, invalid } from '../../errors.ts';
import { refuseEndedKey } from '../locked/refuse-ended-key.ts';
import { maxValidTokens, planRotation } from '../rules.ts';
import type { DecidedRotation } from '../rules.ts';
import { lockValidTokens } from '../store/tokens.ts';
import type { TokenRow } from '../store/tokens.ts';
import type { LockedApiKey } from '../locked/with-locked-api-key.ts';
import { refuseOtherToken } from './refuse-other-token.ts';
import { refuseToReplace } from './refuse-to-replace.ts';

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
  if (!mayGiveGrace(graceSeconds, { mayEndTokens })) throw forbidden(tooShort);
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

const tooShort = `Your role cannot end a token that still works, so the old one must stay valid for ${formatDuration(minKeptSeconds)} at least. If it may have leaked, request a rotation with the reason “The token may have leaked”: then you can revoke the key at once.`;

function tooManyTokens({ id, lastFour, lastUsedAt }: TokenRow): Error {
  const use = lastUsedAt ? `last used at ${formatApiTime(lastUsedAt)}` : 'never used';
  return invalid(
    'api_key',
    `This key has ${maxValidTokens} valid tokens, the most it can have. End one first, best the one ending in ${lastFour}, which is token ${id} and was ${use}. Or rotate with a grace period of 0, which ends every older token.`,
  );
}
