import { useState } from 'react';
import type { ActionFailure } from '#lib/actions/action-result.ts';
import { type Deadline, rateLimitDeadline, useSecondsLeft } from '../feedback/rate-limit.ts';

/** An action that failed or that a rate limit stopped, for `FailedActionPanel`. */
export type FailedAction = {
  failure: ActionFailure;
  /** When the rate limit ends. Null: there is none. */
  deadline: Deadline | null;
  retry: () => void;
};

export type FailureState = {
  /** Why the latest action failed; null if it did not, or if only a rate limit stopped it. */
  failure: ActionFailure | null;
  /** When the rate limit ends, for `RateLimitNotice`. */
  deadline: Deadline | null;
  /** Seconds until `deadline`; 0 without a rate limit. */
  secondsLeft: number;
  /** The latest action if it was not carried out, regardless of the reason. */
  failedAction: FailedAction | null;
};

type FailureControls = FailureState & {
  /** Call it when an action starts. A rate limit's countdown goes on. */
  clearFailure: () => void;
  /** A rate limit sets `deadline`; others go to `onFailure`, by default to `failure`. */
  showFailure: (failure: ActionFailure, retry: () => void, onFailure?: FailureHandler) => void;
};

/** Shows a failure elsewhere, such as at its fields. `show` makes it the `failure` all the same. */
export type FailureHandler = (
  failure: ActionFailure,
  show: (failure: ActionFailure) => void,
) => void;

/**
 * The state after a failed action: its failure or the rate limit.
 *
 * @param earlier why the action failed before this was mounted; only a rate limit counts
 */
export function useFailureState(earlier: ActionFailure | null = null): FailureControls {
  const [failedAction, setFailedAction] = useState<FailedAction | null>(null);
  const [deadline, setDeadline] = useState(() => earlier && rateLimitDeadline(earlier));
  const secondsLeft = useSecondsLeft(deadline);

  function showFailure(failure: ActionFailure, retry: () => void, onFailure?: FailureHandler) {
    const show = (shown: ActionFailure) =>
      setFailedAction({ failure: shown, deadline: end, retry });
    const end = rateLimitDeadline(failure);
    if (end !== null) setDeadline(end);
    if (end === null && onFailure) onFailure(failure, show);
    else show(failure);
  }

  return {
    failure: failedAction?.deadline === null ? failedAction.failure : null,
    deadline,
    secondsLeft,
    failedAction,
    clearFailure: () => setFailedAction(null),
    showFailure,
  };
}
