import type { z } from 'zod';
import type { rotateApiKeyInput } from '#lib/contract/api-keys.ts';
import { formatApiTime, formatDuration } from '#lib/time.ts';
import type { Context } from '../../context.ts';
import { actorReference } from '../actor.ts';
import type { Actor } from '../actor.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { invalid } from '../errors.ts';
import { closeOpenRequest } from '../rotation-requests/close-open-request.ts';
import type { LockedApiKey } from './change-api-key.ts';
import { refuseDeadKey } from './refuse-dead-key.ts';
import { planRotation } from './rules.ts';
import type { RotationPlan } from './rules.ts';
import { endTokensAt, insertToken, validTokens } from './store.ts';
import type { TokenRow } from './store.ts';
import { digestToken, lastFour, newToken } from './token.ts';

/**
 * The rotation itself, within a change of the key. What becomes of the tokens before the new one is
 * decided by `planRotation`; the message says what was decided. An open rotation request of the key
 * is done with it.
 *
 * @throws ServiceError VALIDATION_ERROR if the key is revoked or expired, or if
 *   `expected_last_four` is not the newest token's, which then was rotated by somebody else
 */
export async function rotateLockedKey(
  ctx: Context,
  actor: Actor,
  { tx, key, now, input }: LockedApiKey & { input: z.output<typeof rotateApiKeyInput> },
): Promise<{ token: string; message: string }> {
  refuseDeadKey(key, now);
  const tokens = await validTokens(tx, key, now);
  refuseIfRotatedMeanwhile(tokens[0], input.expected_last_four);

  const plan = planRotation(tokens, {
    now,
    graceSeconds: input.grace_period_seconds ?? ctx.config.rotationGraceSeconds,
    keyExpiresAt: key.expiresAt,
  });
  for (const { tokenId, validUntil } of plan.endings) {
    await endTokensAt(tx, key, { tokenIds: [tokenId], validUntil });
  }
  const token = newToken();
  await insertToken(tx, {
    accountId: actor.accountId,
    apiKeyId: key.id,
    digest: digestToken(token),
    lastFour: lastFour(token),
    createdAt: now,
    createdBy: actorReference(actor),
  });
  await recordAudit(tx, {
    actor,
    action: 'api_key.rotated',
    at: now,
    target: { kind: 'api_key', id: key.uuid, name: key.name },
    changes: {
      last_four: lastFour(token),
      previous_last_four: plan.previous?.lastFour ?? null,
      previous_valid_until: plan.previous && formatApiTime(plan.previous.validUntil),
    },
  });
  await closeOpenRequest(tx, actor, { key, state: 'done', now });
  return { token, message: rotationMessage(plan, now) };
}

function refuseIfRotatedMeanwhile(
  newest: TokenRow | undefined,
  expected: string | undefined,
): void {
  if (!newest || expected === undefined || newest.lastFour === expected) return;
  throw invalid(
    'expected_last_four',
    `This key was already rotated at ${formatApiTime(newest.createdAt)} by ${newest.createdBy.name}.`,
  );
}

function rotationMessage({ previous, replacedUnused }: RotationPlan, now: Date): string {
  const save = 'Save this token now; it will not be shown again.';
  if (!previous) return `${save} Every older token has stopped working.`;
  const seconds = Math.round((previous.validUntil.getTime() - now.getTime()) / 1000);
  const old = `The old token stays valid for ${formatDuration(seconds)}, until ${formatApiTime(previous.validUntil)}.`;
  if (!replacedUnused) return `${save} ${old}`;
  return `${save} ${old} The token ending in ${replacedUnused.lastFour}, which was never used, has stopped working.`;
}
