'use client';

import type { Thrown } from '../../error-page-props.ts';
import { ShownAccountFailure } from './lazy-account-failure.tsx';

export default function DashboardError(thrown: Thrown) {
  return <ShownAccountFailure error={thrown.error} retry={thrown.retry} />;
}
