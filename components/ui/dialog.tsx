'use client';

import type { DialogProps } from './dialog-popup.tsx';
import { lazyPart } from './lazy-part.ts';

/** An element, or a function that finds one at the moment it is needed. */
export type FocusTarget = NonNullable<DialogProps['finalFocus']>;

/** Centred on a screen, a sheet from below on a phone. */
export function Dialog(props: DialogProps) {
  return <Popup {...props} isWanted={props.open} />;
}

const Popup = lazyPart(async () => (await import('./dialog-popup.tsx')).DialogPopup);
