'use client';

import { ErrorPanel } from '#components/shell/feedback/error-panel.tsx';
import {
  type Deadline,
  deadlineAfter,
  RateLimitNotice,
  useSecondsLeft,
  rateLimitReason,
} from '#components/shell/feedback/rate-limit-notice.tsx';
import { Button } from '#components/ui/buttons/button.tsx';
import type { ActionFailure } from '#lib/actions/action-result.ts';

import { failureText } from './failure-text.ts';

/** A failed action that has no dialog. */
export type FailedAction = {
  /** What was not done: "Order notifier was not paused". */
  title: string;
  failure: ActionFailure;
  /** When the rate limit ends. Null: there is none. */
  deadline: Deadline | null;
  retry: () => void;
};

export function toFailedAction(
  title: string,
  failure: ActionFailure,
  retry: () => void,
): FailedAction {
  const isRateLimited = failure.code === 'RATE_LIMIT_EXCEEDED';
  return {
    title,
    failure,
    deadline: isRateLimited ? deadlineAfter(failure.retryAfter) : null,
    retry,
  };
}

/** Says what was not done and why, with a button to try again after a rate limit has ended. */
export function FailedActionPanel({
  failedAction,
  className,
}: {
  failedAction: FailedAction;
  className?: string;
}) {
  const { title, failure, deadline, retry } = failedAction;
  const secondsLeft = useSecondsLeft(deadline);
  return (
    <div className={className}>
      <RateLimitNotice
        deadline={deadline}
        action={<Button disabledReason={rateLimitReason(secondsLeft)}>Try again</Button>}
      >
        {title}.
      </RateLimitNotice>
      {secondsLeft === 0 && (
        <ErrorPanel
          title={title}
          message={failureText(failure)}
          requestId={failure.requestId}
          onRetry={retry}
        />
      )}
    </div>
  );
}
