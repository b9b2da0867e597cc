'use client';

import { useState } from 'react';

import type { ActionFailure } from '#lib/actions/action-result.ts';

import { type Deadline, deadlineAfter, useSecondsLeft } from '../feedback/rate-limit-notice.tsx';
import { isIdentityPromptCancelled } from './use-run-action.ts';

export type ActionFailureState = {
  /** Why the latest act was not done; null if it was, or has only to wait. */
  failure: ActionFailure | null;
  /** As an act begins: null. A countdown goes on. */
  setFailure: (failure: ActionFailure | null) => void;
  /** The rate limit's end, for `RateLimitNotice`. */
  deadline: Deadline | null;
  /** Until that end; 0 while nothing has to wait. */
  secondsLeft: number;
  /**
   * Takes what an act was refused with. A rate limit becomes a countdown, of a question that was
   * left nothing is said, and the rest is told: as `failure`, if nothing else is given for it.
   */
  handleFailure: (result: ActionFailure, onFailure?: (failure: ActionFailure) => void) => void;
};

/** What became of an act that was not done. */
export function useActionFailure(): ActionFailureState {
  const [failure, setFailure] = useState<ActionFailure | null>(null);
  const [deadline, setDeadline] = useState<Deadline | null>(null);
  const secondsLeft = useSecondsLeft(deadline);

  function handleFailure(
    result: ActionFailure,
    onFailure: (failure: ActionFailure) => void = setFailure,
  ) {
    if (result.code === 'RATE_LIMIT_EXCEEDED') setDeadline(deadlineAfter(result.retryAfter));
    else if (!isIdentityPromptCancelled(result)) onFailure(result);
  }

  return { failure, setFailure, deadline, secondsLeft, handleFailure };
}
