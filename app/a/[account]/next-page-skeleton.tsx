'use client';

import { useNavigation } from '#components/ui/navigation/navigation.tsx';
import { lazyComponent } from '#components/ui/rendering/lazy-component.ts';

/** Stands in for the page that is being opened. It is loaded after the page, as no press comes before. */
export function NextPageSkeleton() {
  const { destination } = useNavigation();
  return <LazyNextPage shouldLoad={destination !== null} path={destination} />;
}

const LazyNextPage = lazyComponent(async () => (await import('./loading-page.tsx')).NextPage);
