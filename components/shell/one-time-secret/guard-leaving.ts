import { ensureGuardedEntry, leaveGuardedEntry, onBackFromGuardedEntry } from './guarded-entry.ts';
import { warnBeforeUnload } from './warn-before-unload.ts';

/** Where somebody wants to go: back, or to an address of the dashboard. */
export type Departure = 'back' | { href: string };

/**
 * Keeps the page open: Back and links of the dashboard call `onLeave` instead, and the browser asks
 * before it closes or reloads the tab. Returns a function that ends this.
 */
export function guardLeaving(onLeave: (departure: Departure) => void): () => void {
  let isStopped = false;
  void beginGuardedEntry();
  const stopGuardingBack = onBackFromGuardedEntry(() => onLeave('back'));

  async function beginGuardedEntry() {
    // An earlier guard may still be removing it.
    await removal;
    if (!isStopped) ensureGuardedEntry();
  }

  function onClick(event: MouseEvent) {
    const href = internalLink(event);
    if (href === null) return;
    event.preventDefault();
    event.stopPropagation();
    onLeave({ href });
  }
  // Capture, to run before the links' own listeners.
  document.addEventListener('click', onClick, { capture: true });
  const stopWarning = warnBeforeUnload();

  return () => {
    isStopped = true;
    stopGuardingBack();
    document.removeEventListener('click', onClick, { capture: true });
    stopWarning();
  };
}

/** All guards share one history entry. This resolves when it is no longer being removed. */
let removal: Promise<void> = Promise.resolve();

/** Makes Back work as without a guard. */
export function endGuardedEntry(): void {
  removal = removal.then(leaveGuardedEntry);
}

/** The address that a press opens in this tab, if it is one of the dashboard. */
function internalLink(event: MouseEvent): string | null {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
    return null;
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (link === null || link.origin !== window.location.origin) return null;
  const opensElsewhere = link.hasAttribute('download') || !['', '_self'].includes(link.target);
  const isOnThisPage =
    link.hash !== '' && link.href.split('#')[0] === window.location.href.split('#')[0];
  return opensElsewhere || isOnThisPage ? null : `${link.pathname}${link.search}${link.hash}`;
}
