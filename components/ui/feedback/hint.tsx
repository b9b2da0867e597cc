import { type ComponentProps, useEffect, useRef, useState } from 'react';
import type { HintProps } from './hint-popup.tsx';
import { lazyComponent } from '../rendering/lazy-component.ts';

/** A tooltip that a press opens too, so that touch and keyboard can. */
export function Hint(props: HintProps) {
  return <Popup {...props} shouldLoad={props.open} />;
}

const Popup = lazyComponent(async () => (await import('./hint-popup.tsx')).HintPopup);

const shownMs = 6000;
const hoverMs = 300;

type HintState = {
  open: boolean;
  show: () => void;
  hide: () => void;
  /** Opens it while the pointer rests on its control, or the keyboard moves the focus there. */
  onControl: Pick<
    ComponentProps<'button'>,
    'onPointerEnter' | 'onPointerLeave' | 'onFocus' | 'onBlur'
  >;
};

/** The state of a hint, which closes after some seconds or on Escape or Tab. */
export function useHint(): HintState {
  const [open, setOpen] = useState(false);
  const hover = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(hover.current), []);
  useEffect(() => {
    if (!open) return;
    const close = () => setOpen(false);
    const timer = setTimeout(close, shownMs);
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape' || event.key === 'Tab') close();
    };
    document.addEventListener('keydown', onKey);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('keydown', onKey);
    };
  }, [open]);

  function show() {
    setOpen(true);
  }

  function hide() {
    clearTimeout(hover.current);
    setOpen(false);
  }

  return {
    open,
    show,
    hide,
    onControl: {
      onPointerEnter: ({ pointerType }) => {
        if (pointerType !== 'touch') hover.current = setTimeout(show, hoverMs);
      },
      onPointerLeave: hide,
      onFocus: ({ currentTarget }) => {
        if (currentTarget.matches(':focus-visible')) show();
      },
      onBlur: hide,
    },
  };
}
