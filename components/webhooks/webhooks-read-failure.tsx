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

type WebhooksReadFailureProps = {
  /** What could not be read: the list, a single webhook, or something about it. */
  what?: keyof typeof AS_OF;
  error: Error;
  /** When the request failed, as a Unix time in milliseconds. */
  failedAt: number;
  /** When the data shown below was read; null if none is shown. */
  readAt: number | null;
  onRetry: () => void;
  isRetrying: boolean;
};

const AS_OF = {
  list: 'the webhooks',
  webhook: 'it',
  deliveries: 'them',
  delivery: 'it',
  figures: 'them',
  replay: 'it',
};

/** Says why webhooks could not be read. Data that was read before stays visible below. */
export function WebhooksReadFailure({
  what = 'list',
  error,
  failedAt,
  readAt,
  ...retryProps
}: WebhooksReadFailureProps) {
  const known = error instanceof ApiError ? error : null;
  const code = known?.code ?? 'INTERNAL_ERROR';
  const wait = known?.retryAfter;
  const deadline = wait === undefined ? null : failedAt + wait * 1000;
  const secondsLeft = useSecondsLeft(deadline);

  // `SessionEndedBanner` says so already.
  if (code === 'UNAUTHORIZED') return null;
  if (code === 'FORBIDDEN') {
    return <NoPermission what="webhooks" who="An owner or an admin can change your role." />;
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
              {readAt !== null && ` You see ${AS_OF[what]} as of ${formatClock(new Date(readAt))}.`}
            </>
          }
          requestId={known?.requestId}
          {...retryProps}
        />
      )}
    </div>
  );
}
