import type { z } from 'zod';
import type { rotationInput } from '#lib/contract/api-keys.ts';
import { formatApiTime } from '#lib/time.ts';
import type { Context } from '../../context.ts';
import { invalid } from '../errors.ts';
import { refuseDeadKey } from './refuse-dead-key.ts';
import { isRotated, mostLiveTokens, planRotation } from './rules.ts';
import type { RotationPlan } from './rules.ts';
import { lockValidTokens } from './store.ts';
import type { ApiKeyRow, TokenRow } from './store.ts';
import type { LockedApiKey } from './with-locked-api-key.ts';

/** A rotation that can be carried out. */
export type DecidedRotation = Extract<RotationPlan, { kind: 'rotate' }>;

/**
 * What a rotation of a locked key does to each of its tokens.
 *
 * @throws ServiceError VALIDATION_ERROR if the key is revoked or expired, if too many tokens would
 *   be valid afterwards, or if `expected_last_four` is not the newest token's
 */
export async function decideRotation(
  ctx: Pick<Context, 'config'>,
  { tx, key, now, input }: LockedApiKey & { input: z.output<typeof rotationInput> },
): Promise<DecidedRotation> {
  refuseDeadKey(key, now);
  const tokens = await lockValidTokens(tx, key, now);
  refuseOtherToken(key, { tokens, expected: input.expected_last_four });

  const plan = planRotation(tokens, {
    now,
    graceSeconds: input.grace_period_seconds ?? ctx.config.rotationGraceSeconds,
    keyExpiresAt: key.expiresAt,
  });
  if (plan.kind === 'too_many') throw tooManyTokens(plan.endFirst);
  return plan;
}

function refuseOtherToken(
  key: ApiKeyRow,
  { tokens, expected }: { tokens: readonly TokenRow[]; expected: string | undefined },
): void {
  const [newest] = tokens;
  if (!newest || expected === undefined || newest.lastFour === expected) return;
  throw invalid(
    'expected_last_four',
    isRotated({ key, tokens })
      ? `This key was already rotated at ${formatApiTime(newest.createdAt)} by ${newest.createdBy.name}.`
      : `This key was never rotated: its token ends in ${newest.lastFour}. Give these four characters, or leave the field out.`,
  );
}

function tooManyTokens({ id, lastFour, lastUsedAt }: TokenRow): Error {
  const use = lastUsedAt ? `last used at ${formatApiTime(lastUsedAt)}` : 'never used';
  return invalid(
    'api_key',
    `This key has ${mostLiveTokens} valid tokens, the most it can have. End one first, best the one ending in ${lastFour}, which is token ${id} and was ${use}. Or rotate with a grace period of 0, which ends every older token.`,
  );
}
