'use client';

import { type ComponentProps, lazy, Suspense } from 'react';

/** Rendered on the server like any part, but only those who see it load its code. */
export function LazyVisitBanner(props: ComponentProps<typeof VisitBanner>) {
  return (
    <Suspense>
      <VisitBanner {...props} />
    </Suspense>
  );
}

const VisitBanner = lazy(async () => {
  const { VisitBanner: Loaded } = await import('./visit-banner.tsx');
  return { default: Loaded };
});
