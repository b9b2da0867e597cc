'use client';

import { ApiError } from '#lib/api/api-error.ts';
import { formatClock } from '#lib/time.ts';

import { RetryPanel } from '../feedback/retry-panel.tsx';
import { NoPermission } from './page-states.tsx';

/** What a query tells about its latest read; times in Unix milliseconds. */
export type Reading = {
  errorUpdatedAt: number;
  dataUpdatedAt: number;
  isFetching: boolean;
  refetch: () => unknown;
};

type ReadFailureProps = {
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
};

/** Says why data could not be read. What was read before stays visible below. */
export function ReadFailure({
  what,
  isShown,
  shown = 'it',
  noun,
  error,
  reading,
}: ReadFailureProps) {
  const apiError = error instanceof ApiError ? error : null;
  // `SessionEndedBanner` says so already.
  if (apiError?.code === 'UNAUTHORIZED') return null;
  if (apiError?.code === 'FORBIDDEN') {
    return <NoPermission what={noun} who="An owner or an admin can change your role." />;
  }
  const wait = apiError?.retryAfter;
  const readAt = formatClock(new Date(reading.dataUpdatedAt));
  return (
    <div className="mb-3">
      <RetryPanel
        deadline={wait === undefined ? null : reading.errorUpdatedAt + wait * 1000}
        title={`${what} could not be ${isShown ? 'refreshed' : 'read'}`}
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
    </div>
  );
}
