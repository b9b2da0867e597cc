import { lazyComponent } from '#components/ui/rendering/lazy-component.ts';
import type { FailedActionPanelProps } from './failed-action-panel.tsx';

type LazyFailedActionPanelProps = {
  /** Null while nothing failed: then nothing is rendered. */
  failed: Omit<FailedActionPanelProps, 'className'> | null;
  className: string;
};

/** `FailedActionPanel`, loaded after the page, because it is needed only after a press. */
export function LazyFailedActionPanel(props: LazyFailedActionPanelProps) {
  return <Panel shouldLoad={props.failed !== null} {...props} />;
}

const Panel = lazyComponent(async () => {
  const { FailedActionPanel } = await import('./failed-action-panel.tsx');
  return ({ failed, className }: LazyFailedActionPanelProps) =>
    failed && <FailedActionPanel {...failed} className={className} />;
});
