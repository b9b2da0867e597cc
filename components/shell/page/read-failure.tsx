// Renders rarely. Compiled for memoization, the file would be larger.
'use no memo';

import { Skeleton } from '#components/ui/data-display/skeleton.tsx';
import { ApiError } from '#lib/api/api-error.ts';
import { formatClock } from '#lib/time.ts';
import { ErrorPanel } from '../feedback/error-panel.tsx';
import { RetryPanel } from '../feedback/retry-panel.tsx';
import { isRetryable } from '../retry/is-retryable.ts';
import { useFailedRead } from '../retry/use-failed-read.ts';
import { NoPermission } from './no-permission.tsx';

/** The state of a query’s latest read; times in Unix milliseconds. */
export type Reading = {
  errorUpdatedAt: number;
  dataUpdatedAt: number;
  isFetching: boolean;
  refetch: () => unknown;
};

export type ReadFailureProps = {
  /** What could not be read: "The list". */
  what: string;
  /** Whether data that was read before is still shown below. */
  isShown: boolean;
  /** What that data is called: "the webhooks". */
  shown?: string;
  /** What a person without permission cannot see: "webhooks". */
  noun: string;
  error: Error;
  reading: Reading;
  /** Shows every failure here: for data that a dialog or drawer reads, or a press requested. */
  isLocal?: boolean;
};

/**
 * Explains why data could not be read. Data that was read before stays visible below. An outage or
 * a rate limit concerns the whole page, so the frame reports it once.
 */
export function ReadFailure({ error, isLocal = false, ...props }: ReadFailureProps) {
  const apiError = error instanceof ApiError ? error : null;
  // `SessionEndedBanner` says so already.
  if (apiError?.code === 'UNAUTHORIZED') return null;
  if (apiError?.code === 'FORBIDDEN') {
    return <NoPermission what={props.noun} who="An owner or an admin can change your role." />;
  }
  if (apiError !== null && isRetryable(apiError.code) && !isLocal) {
    return <PassingFailure error={apiError} {...props} />;
  }
  return <LocalFailure error={error} {...props} />;
}

type FailureProps = Omit<ReadFailureProps, 'isLocal'>;

function PassingFailure({ error, isShown, reading }: FailureProps & { error: ApiError }) {
  useFailedRead(
    {
      error,
      code: error.code,
      retryAfter: error.retryAfter,
      requestId: error.requestId,
      failedAt: reading.errorUpdatedAt,
      shownSince: isShown ? reading.dataUpdatedAt : undefined,
    },
    reading.refetch,
  );
  if (isShown) return null;
  return (
    <div aria-hidden className="grid grid-cols-1 gap-2 py-2">
      {[280, 220, 250].map((width) => (
        <Skeleton key={width} width={width} />
      ))}
    </div>
  );
}

function LocalFailure({ what, isShown, shown = 'it', error, reading }: FailureProps) {
  const apiError = error instanceof ApiError ? error : null;
  const wait = apiError?.retryAfter;
  const readAt = formatClock(new Date(reading.dataUpdatedAt));
  return (
    <div className="mb-3">
      <RetryPanel deadline={wait === undefined ? null : reading.errorUpdatedAt + wait * 1000}>
        <ErrorPanel
          title={`${what} could not be ${isShown ? 'refreshed' : 'loaded'}`}
          message={
            <>
              {error.message}
              {isShown && ` You see ${shown} as of ${readAt}.`}
            </>
          }
          requestId={apiError?.requestId}
          onRetry={() => void reading.refetch()}
          isRetrying={reading.isFetching}
        />
      </RetryPanel>
    </div>
  );
}
