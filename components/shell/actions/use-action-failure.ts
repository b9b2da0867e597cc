'use client';

import { useState } from 'react';

import type { ActionFailure } from '#lib/actions/action-result.ts';

import {
  type Deadline,
  rateLimitDeadline,
  useSecondsLeft,
} from '../feedback/rate-limit-notice.tsx';
import { isIdentityPromptCancelled } from './use-run-action.ts';

export type ActionFailureState = {
  /** Why the latest action failed; null if it did not, or if only a rate limit stopped it. */
  failure: ActionFailure | null;
  /** Call with null when an action starts. A rate limit's countdown goes on. */
  setFailure: (failure: ActionFailure | null) => void;
  /** When the rate limit ends, for `RateLimitNotice`. */
  deadline: Deadline | null;
  /** Seconds until `deadline`; 0 without a rate limit. */
  secondsLeft: number;
  /**
   * Call with the result of a failed action. A rate limit sets `deadline`; a cancelled identity
   * prompt is ignored; any other failure goes to `onFailure`, by default to `failure`.
   */
  handleFailure: (result: ActionFailure, onFailure?: (failure: ActionFailure) => void) => void;
};

/** The state of a failed action: failure and rate limit. */
export function useActionFailure(): ActionFailureState {
  const [failure, setFailure] = useState<ActionFailure | null>(null);
  const [deadline, setDeadline] = useState<Deadline | null>(null);
  const secondsLeft = useSecondsLeft(deadline);

  function handleFailure(
    result: ActionFailure,
    onFailure: (failure: ActionFailure) => void = setFailure,
  ) {
    const end = rateLimitDeadline(result);
    if (end !== null) setDeadline(end);
    else if (!isIdentityPromptCancelled(result)) onFailure(result);
  }

  return { failure, setFailure, deadline, secondsLeft, handleFailure };
}
