'use client';

import { lazyComponent } from '#components/ui/rendering/lazy-component.ts';

/** The form in which installation support says why they open an account, which few people need. */
export const LazyOpenAccount = lazyComponent(
  async () => (await import('#components/shell/installation-support/open-account.tsx')).OpenAccount,
);
