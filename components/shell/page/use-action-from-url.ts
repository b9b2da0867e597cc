import { useEffect, useEffectEvent, useRef } from 'react';

/**
 * Runs the action that a link to the page asks for with `?act=…`, once, as soon as the action's
 * target is known. Back and a reload open only the page.
 *
 * @param target null until it is known
 */
export function useActionFromUrl<Target extends object>(
  target: Target | null,
  perform: (action: string, target: Target) => void,
): void {
  const isDone = useRef(false);
  const isKnown = target !== null;
  const performKnown = useEffectEvent((action: string) => {
    if (target !== null) perform(action, target);
  });
  useEffect(() => {
    if (!isKnown || isDone.current) return;
    isDone.current = true;
    const url = new URL(window.location.href);
    const action = url.searchParams.get('act');
    if (action === null) return;
    url.searchParams.delete('act');
    window.history.replaceState(null, '', url);
    performKnown(action);
  }, [isKnown]);
}
