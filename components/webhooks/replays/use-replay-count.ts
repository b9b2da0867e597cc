'use client';

import { useEffect, useEffectEvent, useState } from 'react';

import { type Deadline, deadlineAfter } from '#components/shell/rate-limit-notice.tsx';
import { useAct } from '#components/shell/use-act.ts';
import type { ActionFailure } from '#lib/actions/action-result.ts';
import { countReplay } from '#lib/actions/replays.ts';
import type { ReplayInput } from '#lib/api/replays.ts';

/** How many events a replay would be, as far as that is known. */
export type ReplayCount =
  /** There is no window to count in. */
  | { state: 'none' }
  | { state: 'counting' }
  | { state: 'counted'; count: number }
  /** `deadline`: when it may be asked again, if it was asked too often. */
  | { state: 'failed'; failure: ActionFailure; deadline: Deadline | null };

type Answer = { question: string; count: ReplayCount };

/**
 * Asks how many events it would be, anew for every change and only once no more of them come. An
 * answer to what was asked before counts for nothing.
 *
 * @param webhook uuid
 * @param input what to count; null: nothing
 * @param round another number asks the same question again
 */
export function useReplayCount(
  webhook: string,
  input: ReplayInput | null,
  round: number,
): ReplayCount {
  const [answer, setAnswer] = useState<Answer | null>(null);
  const act = useAct();
  const question = input === null ? null : JSON.stringify([input, round]);

  const ask = useEffectEvent(async (isCurrent: () => boolean) => {
    if (input === null || question === null) return;
    const result = await act(() => countReplay(webhook, input));
    if (isCurrent()) setAnswer({ question, count: countOf(result) });
  });

  useEffect(() => {
    if (question === null) return;
    let isCurrent = true;
    const timer = setTimeout(() => void ask(() => isCurrent), SETTLED_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [question]);

  if (question === null) return { state: 'none' };
  return answer?.question === question ? answer.count : { state: 'counting' };
}

/** How long after the last change: an arrow key runs through the choices on its way. */
const SETTLED_MS = 300;

function countOf(result: { ok: true; count: number } | ActionFailure): ReplayCount {
  if (result.ok) return { state: 'counted', count: result.count };
  const isForRate = result.code === 'RATE_LIMIT_EXCEEDED';
  return {
    state: 'failed',
    failure: result,
    deadline: isForRate ? deadlineAfter(result.retryAfter) : null,
  };
}
