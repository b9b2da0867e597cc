'use client';

import { lazyComponent } from '#components/ui/rendering/lazy-component.ts';

import type { UnconfirmedSecretPanelProps } from './unconfirmed-secret-panel.tsx';

/** Says that nobody confirmed having the signing secret. Loaded after the page, because few need it. */
export function UnconfirmedSecret(props: UnconfirmedSecretPanelProps) {
  return <Panel shouldLoad {...props} />;
}

const Panel = lazyComponent(
  async () => (await import('./unconfirmed-secret-panel.tsx')).UnconfirmedSecretPanel,
);
