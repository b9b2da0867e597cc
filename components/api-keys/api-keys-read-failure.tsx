'use client';

import { ErrorPanel } from '#components/shell/feedback/error-panel.tsx';
import { NoPermission } from '#components/shell/page/page-states.tsx';
import {
  RateLimitNotice,
  useSecondsLeft,
  rateLimitReason,
} from '#components/shell/feedback/rate-limit-notice.tsx';
import { Button } from '#components/ui/buttons/button.tsx';
import { ApiError } from '#lib/api/api-error.ts';
import { formatClock } from '#lib/time.ts';

type ApiKeysReadFailureProps = {
  /** What could not be read: the list, older keys, or a single key. */
  what?: 'list' | 'older keys' | 'key';
  error: Error;
  /** When the request failed, as a Unix time in milliseconds. */
  failedAt: number;
  /** When the data shown below was read; null if none is shown. */
  readAt: number | null;
  onRetry: () => void;
  isRetrying: boolean;
};

/** Says why keys could not be read. Data that was read before stays visible below. */
export function ApiKeysReadFailure({
  what = 'list',
  error,
  failedAt,
  readAt,
  ...retryProps
}: ApiKeysReadFailureProps) {
  const code = error instanceof ApiError ? error.code : 'INTERNAL_ERROR';
  const retryAfter = error instanceof ApiError ? error.retryAfter : undefined;
  const deadline = retryAfter === undefined ? null : failedAt + retryAfter * 1000;
  const secondsLeft = useSecondsLeft(deadline);

  // `SessionEndedBanner` says so already.
  if (code === 'UNAUTHORIZED') return null;
  if (code === 'FORBIDDEN') {
    return <NoPermission what="API keys" who="An owner or an admin can change your role." />;
  }
  return (
    <div className="mb-3">
      <RateLimitNotice
        deadline={deadline}
        action={<Button disabledReason={rateLimitReason(secondsLeft)}>Try again</Button>}
      />
      {secondsLeft === 0 && (
        <ErrorPanel
          title={`The ${what} could not be ${readAt === null ? 'read' : 'refreshed'}`}
          message={
            <>
              {error.message}
              {readAt !== null &&
                ` You see the ${what === 'list' ? 'keys' : 'key'} as of ${formatClock(new Date(readAt))}.`}
            </>
          }
          requestId={error instanceof ApiError ? error.requestId : undefined}
          {...retryProps}
        />
      )}
    </div>
  );
}
