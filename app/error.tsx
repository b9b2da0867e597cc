'use client';

import { lazyComponent } from '#components/ui/rendering/lazy-component.ts';
import type { ErrorPageProps } from './error-page-props.ts';

// Every page loads this file, but few pages need the component.
const LazyFailure = lazyComponent(async () => (await import('./root-failure.tsx')).RootFailure);

export default function RootError({ error, retry }: ErrorPageProps) {
  return <LazyFailure shouldLoad error={error} retry={retry} />;
}
