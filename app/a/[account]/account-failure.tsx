import { FailedPage } from '#components/shell/page/failed-page.tsx';
import { isRetryable } from '#components/shell/retry/is-retryable.ts';
import { thrownFailureOf } from '#lib/api/thrown-failure.ts';
import type { ErrorPageProps } from '../../error-page-props.ts';
import { UnreadablePage } from './unreadable-page.tsx';

/** Shown in place of an account's page that could not be rendered. */
export function AccountFailure(props: ErrorPageProps) {
  const failure = thrownFailureOf(props.error);
  return isRetryable(failure.code) ? (
    <UnreadablePage {...props} />
  ) : (
    <FailedPage title="Something went wrong" {...failure} onRetry={props.retry} />
  );
}
