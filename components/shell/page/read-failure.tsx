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

/** A query, or several as one; times in Unix milliseconds. */
export type Read = {
  /** Undefined: nothing was read yet. What was read before stays shown below. */
  data: unknown;
  error: Error | null;
  errorUpdatedAt: number;
  dataUpdatedAt: number;
  isFetching: boolean;
  refetch: () => unknown;
};

export type ReadFailureProps = {
  /** What could not be read: "The list". */
  what: string;
  /** What the data is called that is still shown: "the webhooks". */
  shown?: string;
  /** What a person without permission cannot see: "webhooks". */
  noun: string;
  read: Read;
  /** Shows every failure here: for data that a dialog or drawer reads, or a press requested. */
  isLocal?: boolean;
};

/** Explains why data could not be read; the frame reports an outage or a rate limit once. */
export function ReadFailure({ isLocal = false, ...props }: ReadFailureProps) {
  const { error } = props.read;
  if (error === null) return null;
  const apiError = error instanceof ApiError ? error : null;
  // `SessionEndedBanner` says so already.
  if (apiError?.code === 'UNAUTHORIZED') return null;
  if (apiError?.code === 'FORBIDDEN') {
    return <NoPermission what={props.noun} who="An owner or an admin can change your role." />;
  }
  if (apiError !== null && isRetryable(apiError.code) && !isLocal) {
    return <PassingFailure error={apiError} read={props.read} />;
  }
  return <LocalFailure error={error} {...props} />;
}

function PassingFailure({ error, read }: { error: ApiError; read: Read }) {
  const isShown = read.data !== undefined;
  useFailedRead(
    {
      error,
      code: error.code,
      retryAfter: error.retryAfter,
      requestId: error.requestId,
      failedAt: read.errorUpdatedAt,
      shownSince: isShown ? read.dataUpdatedAt : undefined,
    },
    read.refetch,
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

type LocalFailureProps = Omit<ReadFailureProps, 'isLocal'> & { error: Error };

function LocalFailure({ what, shown = 'it', error, read }: LocalFailureProps) {
  const isShown = read.data !== undefined;
  const apiError = error instanceof ApiError ? error : null;
  const wait = apiError?.retryAfter;
  const readAt = formatClock(new Date(read.dataUpdatedAt));
  return (
    <div className="mb-3">
      <RetryPanel deadline={wait === undefined ? null : read.errorUpdatedAt + wait * 1000}>
        <ErrorPanel
          title={`${what} could not be ${isShown ? 'refreshed' : 'loaded'}`}
          message={
            <>
              {error.message}
              {isShown && ` You see ${shown} as of ${readAt}.`}
            </>
          }
          requestId={apiError?.requestId}
          onRetry={() => void read.refetch()}
          isRetrying={read.isFetching}
        />
      </RetryPanel>
    </div>
  );
}
