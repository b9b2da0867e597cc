'use client';

import { lazyComponent } from '#components/ui/rendering/lazy-component.ts';

import type { Thrown } from '../../thrown.ts';

const LazyAccountFailure = lazyComponent<{ thrown: Thrown | null }>(async () => {
  const { AccountFailure } = await import('./account-failure.tsx');
  return ({ thrown }) => thrown && <AccountFailure {...thrown} />;
});

/** In place of a page of an account that could not be rendered. */
export function ShownAccountFailure(thrown: Thrown) {
  return <LazyAccountFailure shouldLoad thrown={thrown} />;
}

/** Loads that beforehand, because it can't be loaded any longer when the service is away. */
export function PreloadedAccountFailure() {
  return <LazyAccountFailure shouldLoad={false} thrown={null} />;
}
