'use client';

import { createContext, type ReactNode, type RefObject, use, useEffect, useRef } from 'react';

const Arrival = createContext<RefObject<string | null>>({ current: null });

/** Lets an act that leads to another page say what takes the focus there: left alone, nothing does. */
export function ArrivalProvider({ children }: { children: ReactNode }) {
  return <Arrival value={useRef<string | null>(null)}>{children}</Arrival>;
}

/** To be called before leaving, with the id of an element of the page to come. */
export function useArrival(): (elementId: string) => void {
  const awaitedRef = use(Arrival);
  return (elementId) => {
    awaitedRef.current = elementId;
  };
}

/**
 * Gives the focus to what was named before arriving, or to the page itself if that is not there.
 *
 * @param isReady what the page shows has been read
 */
export function useArrivalFocus(isReady: boolean): void {
  const awaitedRef = use(Arrival);
  useEffect(() => {
    if (!isReady || awaitedRef.current === null) return;
    const target = document.getElementById(awaitedRef.current) ?? document.getElementById('main');
    awaitedRef.current = null;
    // Someone quicker has begun to work already.
    if (document.activeElement === document.body) target?.focus();
  }, [isReady, awaitedRef]);
}
