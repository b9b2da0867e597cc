'use client';

import type { Thrown } from './account-failure.tsx';
import { ShownAccountFailure } from './lazy-account-failure.tsx';

export default function DashboardError(thrown: Thrown) {
  return <ShownAccountFailure error={thrown.error} retry={thrown.retry} />;
}
