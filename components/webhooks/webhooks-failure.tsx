'use client';

import { useEffect } from 'react';

import { leavesToSignIn } from '#components/shell/leave-to-sign-in.ts';
import { ErrorPanel } from '#components/shell/error-panel.tsx';
import { NoPermission } from '#components/shell/page-states.tsx';
import {
  RateLimitNotice,
  useSecondsLeft,
  waitReason,
} from '#components/shell/rate-limit-notice.tsx';
import { Button } from '#components/ui/button.tsx';
import { ApiError } from '#lib/api/api-error.ts';
import { formatClock } from '#lib/time.ts';

type WebhooksFailureProps = {
  error: Error;
  /** When it failed, in the clock's milliseconds. */
  failedAt: number;
  /** When the rows below were read; null if there are none. */
  rowsReadAt: number | null;
  onRetry: () => void;
  isRetrying: boolean;
};

/** Why the list could not be read. Rows read before stay below it. */
export function WebhooksFailure({ error, failedAt, rowsReadAt, ...again }: WebhooksFailureProps) {
  const known = error instanceof ApiError ? error : null;
  const code = known?.code ?? 'INTERNAL_ERROR';
  const wait = known?.retryAfter;
  const deadline = wait === undefined ? null : failedAt + wait * 1000;
  const secondsLeft = useSecondsLeft(deadline);
  useEffect(() => void leavesToSignIn({ code }), [code]);

  if (code === 'UNAUTHORIZED') return null;
  if (code === 'FORBIDDEN') {
    return <NoPermission what="webhooks" who="An owner or an admin can change your role." />;
  }
  return (
    <div className="mb-3">
      <RateLimitNotice
        deadline={deadline}
        action={<Button refused={waitReason(secondsLeft)}>Try again</Button>}
      />
      {secondsLeft === 0 && (
        <ErrorPanel
          title={
            rowsReadAt === null ? 'The list could not be read' : 'The list could not be refreshed'
          }
          message={
            <>
              {error.message}
              {rowsReadAt !== null &&
                ` You see the webhooks as of ${formatClock(new Date(rowsReadAt))}.`}
            </>
          }
          requestId={known?.requestId}
          {...again}
        />
      )}
    </div>
  );
}
