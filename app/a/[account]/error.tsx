'use client';

import type { Thrown } from '../../thrown.ts';
import { ShownAccountFailure } from './lazy-account-failure.tsx';

export default function DashboardError(thrown: Thrown) {
  return <ShownAccountFailure error={thrown.error} retry={thrown.retry} />;
}
