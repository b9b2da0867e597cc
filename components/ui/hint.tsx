'use client';

import { useEffect, useState } from 'react';

import type { HintProps } from './hint-popup.tsx';
import { lazyComponent } from './lazy-component.ts';

/** A short remark beside the control it is about. Opened by a press, so that fingers and keys reach it too. */
export function Hint(props: HintProps) {
  return <Popup {...props} shouldLoad={props.open} />;
}

const Popup = lazyComponent(async () => (await import('./hint-popup.tsx')).HintPopup);

const SHOWN_MS = 6000;

/** Open for some seconds, or until Escape. */
export function useHint(): { open: boolean; show: () => void; hide: () => void } {
  const [open, setOpen] = useState(false);
  useEffect(() => {
    if (!open) return;
    const hide = () => setOpen(false);
    const timer = setTimeout(hide, SHOWN_MS);
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape' || event.key === 'Tab') hide();
    };
    document.addEventListener('keydown', onKey);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('keydown', onKey);
    };
  }, [open]);
  return { open, show: () => setOpen(true), hide: () => setOpen(false) };
}
