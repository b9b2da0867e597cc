'use client';

import { useEffect, useEffectEvent, useRef } from 'react';

/**
 * Runs the action that a link to the page asks for with `?act=…`, once, as soon as the action's
 * target is known. Back and a reload open only the page.
 *
 * @param target null until it is known
 */
export function useAskedAct<Target extends object>(
  target: Target | null,
  perform: (act: string, target: Target) => void,
): void {
  const isDone = useRef(false);
  const isKnown = target !== null;
  const performKnown = useEffectEvent((act: string) => {
    if (target !== null) perform(act, target);
  });
  useEffect(() => {
    if (!isKnown || isDone.current) return;
    isDone.current = true;
    const address = new URL(window.location.href);
    const act = address.searchParams.get('act');
    if (act === null) return;
    address.searchParams.delete('act');
    window.history.replaceState(null, '', address);
    performKnown(act);
  }, [isKnown]);
}
