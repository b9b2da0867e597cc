'use client';

import { ErrorPanel } from '#components/shell/error-panel.tsx';
import {
  type Deadline,
  deadlineAfter,
  RateLimitNotice,
  useSecondsLeft,
  waitReason,
} from '#components/shell/rate-limit-notice.tsx';
import { Button } from '#components/ui/button.tsx';
import type { ActionFailure } from '#lib/actions/action-result.ts';

import { failureText } from './failure-text.ts';

/** An act without a dialog that the service refused. */
export type Refusal = {
  /** What was not done, or perhaps not: "Order notifier was not paused". */
  title: string;
  failure: ActionFailure;
  /** When it may be tried again; null: now. */
  deadline: Deadline | null;
  again: () => void;
};

export function refusalOf(title: string, failure: ActionFailure, again: () => void): Refusal {
  const isForRate = failure.code === 'RATE_LIMIT_EXCEEDED';
  return {
    title,
    failure,
    deadline: isForRate ? deadlineAfter(failure.retryAfter) : null,
    again,
  };
}

/** Says what was not done and why, and offers to try again as soon as that makes sense. */
export function ActRefusal({ refusal, className }: { refusal: Refusal; className?: string }) {
  const { title, failure, deadline, again } = refusal;
  const secondsLeft = useSecondsLeft(deadline);
  return (
    <div className={className}>
      <RateLimitNotice
        deadline={deadline}
        action={<Button refused={waitReason(secondsLeft)}>Try again</Button>}
      >
        {title}.
      </RateLimitNotice>
      {secondsLeft === 0 && (
        <ErrorPanel
          title={title}
          message={failureText(failure)}
          requestId={failure.requestId}
          onRetry={again}
        />
      )}
    </div>
  );
}
