'use client';

import {
  type ComponentProps,
  type KeyboardEvent,
  type PointerEvent,
  useEffect,
  useState,
} from 'react';

type ActiveBar = {
  /** The bar whose numbers are shown. */
  activeIndex: number | null;
  /** The bar that Tab moves to. Arrow keys move to the others. */
  tabStop: number;
  barsProps: ComponentProps<'div'>;
  barProps: (index: number) => Pick<ComponentProps<'a'>, 'onPointerEnter' | 'onFocus' | 'onBlur'>;
};

/**
 * The bar whose numbers are shown: the hovered one, or else the focused one, until Escape is
 * pressed.
 */
export function useActiveBar(count: number): ActiveBar {
  const [hovered, setHovered] = useState<number | null>(null);
  const [focused, setFocused] = useState<number | null>(null);
  const [tabStop, setTabStop] = useState(count - 1);
  const activeIndex = hovered ?? focused;
  const isActive = activeIndex !== null;

  useEffect(() => {
    if (!isActive) return;
    const onKey = (event: globalThis.KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      setHovered(null);
      setFocused(null);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [isActive]);

  return {
    activeIndex,
    tabStop,
    barsProps: {
      onPointerLeave: () => setHovered(null),
      onKeyDown: (event) => {
        const next = nextIndex(event, tabStop, count - 1);
        if (next === null) return;
        event.preventDefault();
        const bar = event.currentTarget.children[next];
        if (bar instanceof HTMLElement) bar.focus();
      },
    },
    barProps: (index) => ({
      onPointerEnter: ({ pointerType }: PointerEvent) => {
        // Touch focuses the bar instead, which stays active after the touch.
        if (pointerType !== 'touch') setHovered(index);
      },
      onFocus: () => {
        setFocused(index);
        setTabStop(index);
      },
      onBlur: () => setFocused(null),
    }),
  };
}

function nextIndex(event: KeyboardEvent, current: number, last: number): number | null {
  if (event.ctrlKey || event.metaKey || event.altKey) return null;
  switch (event.key) {
    case 'ArrowLeft':
      return Math.max(0, current - 1);
    case 'ArrowRight':
      return Math.min(last, current + 1);
    case 'Home':
      return 0;
    case 'End':
      return last;
    default:
      return null;
  }
}
