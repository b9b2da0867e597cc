'use client';

import { usePathname } from 'next/navigation';

import { useFailedRead } from '#components/shell/retry/use-failed-read.ts';
import { readFailure } from '#lib/api/read-failure.ts';

import type { Thrown } from '../../thrown.ts';
import { UnreadPage } from './loading-page.tsx';

/** In place of a page of an account that could not be read: the frame says why, and tries again. */
export function PassingFailure({ error, retry }: Thrown) {
  useFailedRead({ error, ...readFailure(error) }, retry);
  return <UnreadPage path={usePathname()} />;
}
