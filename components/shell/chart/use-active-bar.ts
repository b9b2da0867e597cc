import {
  type ComponentProps,
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  useEffect,
  useRef,
  useState,
} from 'react';

type ActiveBar = {
  /** The bar whose numbers are shown; null: none. */
  activeIndex: number | null;
  chosenIndex: number;
  /** For the element that has the focus in place of all bars. */
  sliderProps: ComponentProps<'div'>;
  barsProps: ComponentProps<'div'>;
  barProps: (index: number) => BarProps;
};

export type BarProps = {
  onPointerEnter: (event: PointerEvent) => void;
  onPointerDown: (event: PointerEvent) => void;
  onClick: (event: MouseEvent) => void;
};

/**
 * The bar whose numbers are shown: the hovered one, or else the one that the focused slider stands
 * at, until Escape is pressed. The first tap of a finger moves the slider; the next one follows the
 * bar's link, if it has one.
 *
 * @param onFollow called when Enter is pressed on a bar
 */
export function useActiveBar(count: number, onFollow?: (index: number) => void): ActiveBar {
  const [hovered, setHovered] = useState<number | null>(null);
  const [chosen, setChosen] = useState(count - 1);
  const [isAsked, setIsAsked] = useState(false);
  const slider = useRef<HTMLDivElement>(null);
  const isFirstTap = useRef(false);
  const chosenIndex = Math.min(chosen, count - 1);
  const activeIndex = hovered ?? (isAsked ? chosenIndex : null);
  const isActive = activeIndex !== null;

  useEffect(() => {
    if (!isActive) return;
    const onKey = (event: globalThis.KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      setHovered(null);
      setIsAsked(false);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [isActive]);

  function choose(index: number) {
    setChosen(index);
    setIsAsked(true);
  }

  return {
    activeIndex,
    chosenIndex,
    sliderProps: {
      ref: slider,
      onFocus: () => setIsAsked(true),
      onBlur: () => setIsAsked(false),
      onKeyDown: (event) => {
        if (event.key === 'Enter') onFollow?.(chosenIndex);
        const next = nextIndex(event, chosenIndex, count - 1);
        if (next === null) return;
        event.preventDefault();
        choose(next);
      },
    },
    barsProps: {
      onPointerLeave: () => setHovered(null),
      // The slider takes the focus in place of a pressed bar.
      onMouseDown: (event) => event.preventDefault(),
    },
    barProps: (index) => ({
      onPointerEnter: ({ pointerType }) => {
        if (pointerType !== 'touch') setHovered(index);
      },
      onPointerDown: ({ pointerType }) => {
        isFirstTap.current = pointerType === 'touch' && index !== activeIndex;
      },
      onClick: (event) => {
        if (!isFirstTap.current) return;
        isFirstTap.current = false;
        event.preventDefault();
        slider.current?.focus({ preventScroll: true });
        choose(index);
      },
    }),
  };
}

function nextIndex(event: KeyboardEvent, current: number, last: number): number | null {
  if (event.ctrlKey || event.metaKey || event.altKey) return null;
  switch (event.key) {
    case 'ArrowLeft':
    case 'ArrowDown':
      return Math.max(0, current - 1);
    case 'ArrowRight':
    case 'ArrowUp':
      return Math.min(last, current + 1);
    case 'Home':
      return 0;
    case 'End':
      return last;
    default:
      return null;
  }
}
