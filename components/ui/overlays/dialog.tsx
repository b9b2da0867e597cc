import type { DialogProps } from './dialog-popup.tsx';
import { lazyComponent } from '../rendering/lazy-component.ts';

export type { FocusTarget } from './dialog-popup.tsx';

/** A modal dialog: centered, on a phone a sheet from below. */
export function Dialog(props: DialogProps) {
  return <Popup {...props} shouldLoad={props.open} />;
}

const Popup = lazyComponent(async () => (await import('./dialog-popup.tsx')).DialogPopup);
