'use client';

import { failureText } from '#components/shell/feedback/failure-text.ts';
import { type Deadline, rateLimitDeadline } from '#components/shell/feedback/rate-limit.ts';
import { RetryPanel } from '#components/shell/feedback/retry-panel.tsx';
import type { ActionFailure } from '#lib/actions/action-result.ts';

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
  return { title, failure, deadline: rateLimitDeadline(failure), retry };
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
  return (
    <div className={className}>
      <RetryPanel
        deadline={deadline}
        waitingFor={`${title}.`}
        title={title}
        message={failureText(failure)}
        requestId={failure.requestId}
        onRetry={retry}
      />
    </div>
  );
}
