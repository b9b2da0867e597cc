'use client';

import { FailedPage } from '#components/shell/page/page-states.tsx';
import { readFailure } from '#lib/api/read-failure.ts';

type ErrorPageProps = { error: unknown; retry: () => void };

export default function DashboardError({ error, retry }: ErrorPageProps) {
  return <FailedPage title="Something went wrong" {...readFailure(error)} onRetry={retry} />;
}
