'use client';

import { useNavigation } from '#components/ui/navigation/navigation.tsx';
import { lazyComponent } from '#components/ui/rendering/lazy-component.ts';

import type { Thrown } from './account-failure.tsx';

const LazyPageSkeleton = lazyComponent(
  async () => (await import('./page-skeleton.tsx')).PageSkeleton,
);

/** Stands in for a page that could not be rendered. Null: nothing was thrown. */
const LazyAccountFailure = lazyComponent<{ thrown: Thrown | null }>(async () => {
  const { AccountFailure } = await import('./account-failure.tsx');
  return ({ thrown }) => thrown && <AccountFailure {...thrown} />;
});

/**
 * Stands in for the page that is being opened. It also loads what stands in for a failed page,
 * because that can't be loaded any longer when the service is away.
 */
export function NextPageSkeleton() {
  const { destination } = useNavigation();
  return (
    <>
      <LazyPageSkeleton shouldLoad={destination !== null} path={destination} />
      <LazyAccountFailure shouldLoad={false} thrown={null} />
    </>
  );
}

/** For `error.tsx`. */
export function ShownAccountFailure(thrown: Thrown) {
  return <LazyAccountFailure shouldLoad thrown={thrown} />;
}
