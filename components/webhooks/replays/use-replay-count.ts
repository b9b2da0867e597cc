'use client';

import { type Deadline, rateLimitDeadline } from '#components/shell/feedback/rate-limit.ts';
import { useLatestResult } from '#components/shell/actions/use-latest-result.ts';
import type { ActionFailure } from '#lib/actions/action-result.ts';
import { countReplay } from '#lib/actions/replays.ts';
import type { ReplayInput } from '#lib/api/replays.ts';

/** The number of events that a replay would send. */
export type ReplayCount =
  /** There is no window to count in. */
  | { state: 'none' }
  | { state: 'counting' }
  | { state: 'counted'; count: number }
  /** `deadline` is when the rate limit ends, if there is one. */
  | { state: 'failed'; failure: ActionFailure; deadline: Deadline | null };

/**
 * Counts the events of a replay again after each change.
 *
 * @param webhook uuid
 * @param input what to count; null: nothing
 * @param round a new number counts the same input again
 */
export function useReplayCount(
  webhook: string,
  input: ReplayInput | null,
  round: number,
): ReplayCount {
  const count = useLatestResult(
    input && {
      key: JSON.stringify([input, round]),
      call: () => countReplay(webhook, input),
      parse: countOf,
    },
  );
  if (input === null) return { state: 'none' };
  return count ?? { state: 'counting' };
}

function countOf(result: { ok: true; count: number } | ActionFailure): ReplayCount {
  if (result.ok) return { state: 'counted', count: result.count };
  return { state: 'failed', failure: result, deadline: rateLimitDeadline(result) };
}
