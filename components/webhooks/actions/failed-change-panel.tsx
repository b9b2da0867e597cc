'use client';

import { lazyComponent } from '#components/ui/rendering/lazy-component.ts';

import type { FailedChange } from './use-webhook-actions.ts';

type FailedChangePanelProps = { failedChange: FailedChange | null; className: string };

/** Says why a webhook was not paused or resumed without a dialog; nothing while none failed. */
export function FailedChangePanel(props: FailedChangePanelProps) {
  return <LazyPanel shouldLoad={props.failedChange !== null} {...props} />;
}

// Loaded after the page, because it is needed only after a press.
const LazyPanel = lazyComponent(async () => {
  const { FailedActionPanel } = await import('#components/shell/actions/failed-action-panel.tsx');
  return ({ failedChange, className }: FailedChangePanelProps) =>
    failedChange && <FailedActionPanel {...failedChange} className={className} />;
});
