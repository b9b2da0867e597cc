'use client';

import { useEffect, useEffectEvent, useState } from 'react';

import { type Deadline, rateLimitDeadline } from '#components/shell/feedback/rate-limit.ts';
import { useRunAction } from '#components/shell/actions/use-run-action.ts';
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

type Answer = { requestKey: string; count: ReplayCount };

/**
 * Counts the events of a replay again after each change, debounced. Answers to earlier requests are
 * ignored.
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
  const [answer, setAnswer] = useState<Answer | null>(null);
  const runAction = useRunAction();
  const requestKey = input === null ? null : JSON.stringify([input, round]);

  const countEvents = useEffectEvent(async (isCurrent: () => boolean) => {
    if (input === null || requestKey === null) return;
    const result = await runAction(() => countReplay(webhook, input));
    if (isCurrent()) setAnswer({ requestKey, count: countOf(result) });
  });

  useEffect(() => {
    if (requestKey === null) return;
    let isCurrent = true;
    const timer = setTimeout(() => void countEvents(() => isCurrent), DEBOUNCE_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [requestKey]);

  if (requestKey === null) return { state: 'none' };
  return answer?.requestKey === requestKey ? answer.count : { state: 'counting' };
}

/** Arrow keys pass through choices quickly, so counting waits until they stop. */
const DEBOUNCE_MS = 300;

function countOf(result: { ok: true; count: number } | ActionFailure): ReplayCount {
  if (result.ok) return { state: 'counted', count: result.count };
  return { state: 'failed', failure: result, deadline: rateLimitDeadline(result) };
}
