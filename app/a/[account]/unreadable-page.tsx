'use client';

import { usePathname } from 'next/navigation';
import { useFailedRead } from '#components/shell/retry/use-failed-read.ts';
import { thrownFailureOf } from '#lib/api/thrown-failure.ts';
import type { ErrorPageProps } from '../../error-page-props.ts';
import { UnreadPage } from './loading-page.tsx';

/** Shown in place of an account's page whose data could not be read. The frame tries again. */
export function UnreadablePage({ error, retry }: ErrorPageProps) {
  useFailedRead({ error, ...thrownFailureOf(error) }, retry);
  return <UnreadPage path={usePathname()} />;
}
