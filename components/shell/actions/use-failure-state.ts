'use client';

import { useState } from 'react';

import type { ActionFailure } from '#lib/actions/action-result.ts';

import { type Deadline, rateLimitDeadline, useSecondsLeft } from '../feedback/rate-limit.ts';

export type FailureState = {
  /** Why the latest action failed; null if it did not, or if only a rate limit stopped it. */
  failure: ActionFailure | null;
  /** When the rate limit ends, for `RateLimitNotice`. */
  deadline: Deadline | null;
  /** Seconds until `deadline`; 0 without a rate limit. */
  secondsLeft: number;
};

type FailureControls = FailureState & {
  /** Call it when an action starts. A rate limit's countdown goes on. */
  clearFailure: () => void;
  /** A rate limit sets `deadline`; any other failure goes to `onFailure`, by default to `failure`. */
  showFailure: (failure: ActionFailure, onFailure?: FailureHandler) => void;
};

/** Shows a failure elsewhere, such as at its fields. `show` makes it the `failure` all the same. */
export type FailureHandler = (
  failure: ActionFailure,
  show: (failure: ActionFailure) => void,
) => void;

/** The state after a failed action: its failure or the rate limit. */
export function useFailureState(): FailureControls {
  const [failure, setFailure] = useState<ActionFailure | null>(null);
  const [deadline, setDeadline] = useState<Deadline | null>(null);
  const secondsLeft = useSecondsLeft(deadline);

  function showFailure(result: ActionFailure, onFailure?: FailureHandler) {
    const end = rateLimitDeadline(result);
    if (end !== null) setDeadline(end);
    else if (onFailure) onFailure(result, setFailure);
    else setFailure(result);
  }

  return { failure, deadline, secondsLeft, clearFailure: () => setFailure(null), showFailure };
}
