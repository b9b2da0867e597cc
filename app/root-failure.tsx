import { usePathname } from 'next/navigation';
import { FrameWithoutSession } from '#components/shell/frame/frame-without-session.tsx';
import { FailedPage } from '#components/shell/page/failed-page.tsx';
import { isRetryable } from '#components/shell/retry/is-retryable.ts';
import { accountOf, accountPath } from '#lib/paths/account-path.ts';
import { thrownFailureOf } from '#lib/api/thrown-failure.ts';
import { UnreadablePage } from './a/[account]/unreadable-page.tsx';
import type { ErrorPageProps } from './error-page-props.ts';

/** Shown in place of any page that failed, even if the service could not say who is signed in. */
export function RootFailure(props: ErrorPageProps) {
  const account = accountOf(usePathname());
  const failure = thrownFailureOf(props.error);
  if (account !== null && isRetryable(failure.code)) {
    return (
      <FrameWithoutSession basePath={accountPath(account, '')}>
        <UnreadablePage {...props} />
      </FrameWithoutSession>
    );
  }
  return (
    <main id="main" className="mx-auto w-full max-w-160 px-gutter py-16">
      <FailedPage title="Something went wrong" {...failure} onRetry={props.retry} />
    </main>
  );
}
