'use client';

import { usePathname } from 'next/navigation';

import { FrameWithoutSession } from '#components/shell/frame/frame-without-session.tsx';
import { FailedPage } from '#components/shell/page/failed-page.tsx';
import { isRetryable } from '#components/shell/retry/is-retryable.ts';
import { useFailedRead } from '#components/shell/retry/use-failed-read.ts';
import { accountOf, accountPath } from '#lib/account-path.ts';
import { readFailure } from '#lib/api/read-failure.ts';

import { UnreadPage } from './loading-page.tsx';

/** What an `error.tsx` is given. */
export type Thrown = { error: unknown; retry: () => void };

/** In place of a page of an account that could not be rendered. */
export function AccountFailure(thrown: Thrown) {
  const failure = readFailure(thrown.error);
  return isRetryable(failure.code) ? (
    <PassingFailure {...thrown} />
  ) : (
    <FailedPage title="Something went wrong" {...failure} onRetry={thrown.retry} />
  );
}

/** The same for every page, also where the service could not say who is signed in. */
export function RootFailure(thrown: Thrown) {
  const account = accountOf(usePathname());
  const failure = readFailure(thrown.error);
  if (account !== null && isRetryable(failure.code)) {
    return (
      <FrameWithoutSession basePath={accountPath(account, '')}>
        <PassingFailure {...thrown} />
      </FrameWithoutSession>
    );
  }
  return (
    <main id="main" className="mx-auto w-full max-w-160 px-gutter py-16">
      <FailedPage title="Something went wrong" {...failure} onRetry={thrown.retry} />
    </main>
  );
}

/** The frame says what failed, and tries again. */
function PassingFailure({ error, retry }: Thrown) {
  useFailedRead({ error, ...readFailure(error) }, retry);
  return <UnreadPage path={usePathname()} />;
}
