'use client';

import { FailedPage } from '#components/shell/page/failed-page.tsx';
import { isRetryable } from '#components/shell/retry/is-retryable.ts';
import { readFailure } from '#lib/api/read-failure.ts';

import type { Thrown } from '../../error-page-props.ts';
import { PassingFailure } from './unreadable-page.tsx';

/** Shown in place of an account's page that could not be rendered. */
export function AccountFailure(thrown: Thrown) {
  const failure = readFailure(thrown.error);
  return isRetryable(failure.code) ? (
    <PassingFailure {...thrown} />
  ) : (
    <FailedPage title="Something went wrong" {...failure} onRetry={thrown.retry} />
  );
}
