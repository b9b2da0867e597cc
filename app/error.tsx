'use client';

import { FailedPage } from '#components/shell/page/page-states.tsx';
import { readFailure } from '#lib/api/read-failure.ts';

type ErrorPageProps = { error: unknown; retry: () => void };

export default function RootError({ error, retry }: ErrorPageProps) {
  return (
    <main id="main" className="mx-auto w-full max-w-160 px-gutter py-16">
      <FailedPage title="Something went wrong" {...readFailure(error)} onRetry={retry} />
    </main>
  );
}
