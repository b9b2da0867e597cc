'use client';

import { lazyComponent } from '#components/ui/rendering/lazy-component.ts';
import type { ErrorPageProps } from '../../error-page-props.ts';

const LazyAccountFailure = lazyComponent<{ thrown: ErrorPageProps | null }>(async () => {
  const { AccountFailure } = await import('./account-failure.tsx');
  return ({ thrown }) => thrown && <AccountFailure {...thrown} />;
});

/** Shown in place of an account's page that could not be rendered. */
export function ShownAccountFailure(thrown: ErrorPageProps) {
  return <LazyAccountFailure shouldLoad thrown={thrown} />;
}

/** Loads the component beforehand, because it cannot be loaded once the service is unavailable. */
export function PreloadedAccountFailure() {
  return <LazyAccountFailure shouldLoad={false} thrown={null} />;
}
