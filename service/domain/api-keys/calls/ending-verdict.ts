import type { EndingVerdict } from '#lib/contract/api-keys/token-use.ts';
import { hourMs } from '#lib/durations.ts';

/** For how long an old token must have had no call before it is safe to end. */
const quietMs = 6 * hourMs;

type OldTokenUse = {
  createdAt: Date;
  /** Null: no call was made with it. */
  lastCallAt: Date | null;
  callsLastHour: number;
  /** The longest time between two of its calls in the last 30 days. */
  longestPauseMs: number;
};

/**
 * Whether an old token can be ended without stopping a client. That is safe only if clients use the
 * newest token, and this one had no call for 6 hours and for longer than ever between two calls: a
 * job that runs once a day is silent for most of it.
 */
export function decideEndingVerdict(
  { createdAt, lastCallAt, callsLastHour, longestPauseMs }: OldTokenUse,
  { isNewestUsed, now }: { isNewestUsed: boolean; now: Date },
): EndingVerdict {
  const silentMs = now.getTime() - (lastCallAt ?? createdAt).getTime();
  if (callsLastHour > 0 || (lastCallAt !== null && silentMs < hourMs)) return 'in_use';
  if (!isNewestUsed) return 'new_token_unused';
  if (silentMs < quietMs) return 'used_recently';
  return silentMs > longestPauseMs ? 'safe_to_end' : 'may_be_pausing';
}
