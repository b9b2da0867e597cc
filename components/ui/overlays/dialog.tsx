'use client';

import type { DialogProps } from './dialog-popup.tsx';
import { lazyComponent } from '../rendering/lazy-component.ts';

/** An element, or a function that finds one at the moment it is needed. */
export type FocusTarget = NonNullable<DialogProps['finalFocus']>;

/** A modal dialog: centered, on a phone a sheet from below. */
export function Dialog(props: DialogProps) {
  return <Popup {...props} shouldLoad={props.open} />;
}

const Popup = lazyComponent(async () => (await import('./dialog-popup.tsx')).DialogPopup);
