import { useEffect, useState } from 'react';
import type { HintProps } from './hint-popup.tsx';
import { lazyComponent } from '../rendering/lazy-component.ts';

/** A tooltip that opens on a press, so that touch and keyboard can open it too. */
export function Hint(props: HintProps) {
  return <Popup {...props} shouldLoad={props.open} />;
}

const Popup = lazyComponent(async () => (await import('./hint-popup.tsx')).HintPopup);

const shownMs = 6000;

/** The state of a hint, which closes after some seconds or on Escape or Tab. */
export function useHint(): { open: boolean; show: () => void; hide: () => void } {
  const [open, setOpen] = useState(false);
  useEffect(() => {
    if (!open) return;
    const hide = () => setOpen(false);
    const timer = setTimeout(hide, shownMs);
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
