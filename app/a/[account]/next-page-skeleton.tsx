'use client';

import { usePendingNavigation } from '#components/ui/navigation/navigation.tsx';
import { lazyComponent } from '#components/ui/rendering/lazy-component.ts';

/** Shown while another page opens. Loaded after the first page: nobody presses a link before. */
export function NextPageSkeleton() {
  const pending = usePendingNavigation();
  return <LazyNextPage shouldLoad={pending !== null} path={pending?.path ?? null} />;
}

const LazyNextPage = lazyComponent(async () => (await import('./loading-page.tsx')).OpeningPage);
