'use client';

import { useNavigation } from '#components/ui/navigation/navigation.tsx';
import { lazyComponent } from '#components/ui/rendering/lazy-component.ts';

/** Shown while another page opens. Loaded after the first page, since nobody presses a link before. */
export function NextPageSkeleton() {
  const { destination } = useNavigation();
  return <LazyNextPage shouldLoad={destination !== null} path={destination} />;
}

const LazyNextPage = lazyComponent(async () => (await import('./loading-page.tsx')).NextPage);
