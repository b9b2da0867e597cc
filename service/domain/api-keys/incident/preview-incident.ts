import type { z } from 'zod';
import { mayBeShown } from '#lib/contract/api-keys/ceiling.ts';
import type {
  IncidentPreview,
  PreviewedKey,
  previewIncidentInput,
} from '#lib/contract/api-keys/incidents/incident-preview.ts';
import type { Context } from '../../../context.ts';
import type { PersonActor } from '../../actor.ts';
import { maxValidTokens, planRotation, scopesOfKey } from '../rules.ts';
import type { ApiKeyWithTokens } from '../store/keys-with-tokens.ts';
import type { TokenRow } from '../store/tokens.ts';
import {
  countCalls,
  findActiveKeys,
  isInUse,
  pauseSkipReason,
  type CallCounts,
} from './incident-keys.ts';

type Preview = z.output<typeof previewIncidentInput>;

/**
 * The effect of an act on these keys: which tokens would stop working, and how many calls are made
 * with them. Changes nothing.
 *
 * @throws ServiceError VALIDATION_ERROR on `keys` if one is not an active key of the account
 */
export async function previewIncident(
  ctx: Context,
  actor: PersonActor,
  input: Preview,
): Promise<IncidentPreview> {
  const now = ctx.clock.now();
  // First, because it writes the uses of the last seconds, by which a key is in use.
  const { counted, callsWith } = await countCalls(ctx, actor.accountId);
  const found = await findActiveKeys(ctx, actor.accountId, input.keys);
  const keys = found.map((each) => {
    const ending = findEnding(actor, each, { input, now });
    return describePreviewed(each, { ending, callsWith, now });
  });
  const sum = (count: (key: PreviewedKey) => number) =>
    keys.reduce((total, key) => total + count(key), 0);
  return {
    keys,
    totals: {
      keys: sum((key) => Number(key.skip_reason === null)),
      skipped: sum((key) => Number(key.skip_reason !== null)),
      live_tokens: sum((key) => key.live_tokens),
      tokens_ending_now: sum((key) => key.tokens_ending_now),
      tokens_ending_later: sum((key) => key.tokens_ending_later),
      calls_ending_now: sum((key) => key.calls_ending_now),
      calls_ending_later: sum((key) => key.calls_ending_later),
      calls_last_day: sum((key) => key.calls_last_day),
      keys_in_use: sum((key) => Number(key.is_in_use && key.skip_reason === null)),
    },
    counted,
  };
}

/** Which tokens would stop working immediately, and which only after their grace period. */
type Ending = { now: readonly TokenRow[]; later: readonly TokenRow[]; skipReason: string | null };

function findEnding(
  actor: PersonActor,
  { key, tokens }: ApiKeyWithTokens,
  { input, now }: { input: Preview; now: Date },
): Ending {
  if (!mayBeShown(actor, scopesOfKey(key))) {
    return skipped('This key can do more than you are allowed to see in this account.');
  }
  const reason = pauseSkipReason(input.act, key);
  if (reason !== null) return skipped(reason);
  if (input.act === 'resume') return { now: [], later: [], skipReason: null };
  if (input.act !== 'rotate') return { now: tokens, later: [], skipReason: null };
  const graceSeconds = input.grace_period_seconds ?? 0;
  const plan = planRotation(tokens, { now, graceSeconds, keyExpiresAt: key.expiresAt });
  if (plan.kind === 'too_many') {
    return skipped(
      `This key has ${maxValidTokens} valid tokens, the maximum. Choose Now to end them all.`,
    );
  }
  return {
    now: plan.tokenOutcomes
      .filter(({ validUntil }) => validUntil === null)
      .map(({ token }) => token),
    // Older tokens keep their deadlines, regardless of the grace period of this rotation.
    later: plan.tokenOutcomes
      .filter(({ token, validUntil }) => validUntil !== null && token.validUntil === null)
      .map(({ token }) => token),
    skipReason: null,
  };
}

function skipped(skipReason: string): Ending {
  return { now: [], later: [], skipReason };
}

function describePreviewed(
  { key, tokens }: ApiKeyWithTokens,
  { ending, callsWith, now }: { ending: Ending; callsWith: CallCounts['callsWith']; now: Date },
): PreviewedKey {
  return {
    uuid: key.uuid,
    name: key.name,
    last_four: tokens[0]?.lastFour ?? '',
    skip_reason: ending.skipReason,
    live_tokens: tokens.length,
    tokens_ending_now: ending.now.length,
    tokens_ending_later: ending.later.length,
    calls_per_hour: callsWith(tokens).perHour,
    calls_ending_now: callsWith(ending.now).perHour,
    calls_ending_later: callsWith(ending.later).perHour,
    calls_last_day: callsWith([...ending.now, ...ending.later]).lastDay,
    is_in_use: isInUse(tokens, now),
  };
}
