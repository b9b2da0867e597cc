'use client';

import { useEffect } from 'react';

import { ErrorPanel } from '#components/shell/error-panel.tsx';
import { NoPermission } from '#components/shell/page-states.tsx';
import {
  RateLimitNotice,
  useSecondsLeft,
  waitReason,
} from '#components/shell/rate-limit-notice.tsx';
import { Button } from '#components/ui/button.tsx';
import { ApiError } from '#lib/api/api-error.ts';
import { signInPath } from '#lib/sign-in-path.ts';
import { formatClock } from '#lib/time.ts';

type ApiKeysFailureProps = {
  error: Error;
  /** When the failure came, as the clock's milliseconds. */
  failedAt: number;
  /** When the rows below were read; null if there are none. */
  rowsReadAt: number | null;
  onRetry: () => void;
  isRetrying: boolean;
};

/** Why the list could not be read, above the rows that were read before. */
export function ApiKeysFailure({ error, failedAt, rowsReadAt, ...again }: ApiKeysFailureProps) {
  const code = error instanceof ApiError ? error.code : 'INTERNAL_ERROR';
  const retryAfter = error instanceof ApiError ? error.retryAfter : undefined;
  const deadline = retryAfter === undefined ? null : failedAt + retryAfter * 1000;
  const secondsLeft = useSecondsLeft(deadline);
  useEffect(() => {
    if (code === 'UNAUTHORIZED') {
      window.location.assign(signInPath(location.pathname + location.search));
    }
  }, [code]);

  if (code === 'UNAUTHORIZED') return null;
  if (code === 'FORBIDDEN') {
    return <NoPermission what="API keys" who="An owner or an admin can change your role." />;
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
                ` You see the keys as of ${formatClock(new Date(rowsReadAt))}.`}
            </>
          }
          requestId={error instanceof ApiError ? error.requestId : undefined}
          {...again}
        />
      )}
    </div>
  );
}
