'use client';

import type { ErrorPageProps } from '../../error-page-props.ts';
import { ShownAccountFailure } from './lazy-account-failure.tsx';

export default function DashboardError(props: ErrorPageProps) {
  return <ShownAccountFailure error={props.error} retry={props.retry} />;
}
