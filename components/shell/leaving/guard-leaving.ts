import { accountOf, sameArea } from '#lib/paths/account-path.ts';

import {
  ensureGuardedEntry,
  leaveGuardedEntry,
  onBackFromGuardedEntry,
  popstateTimeoutMs,
} from './guarded-entry.ts';
import { warnBeforeUnload } from './warn-before-unload.ts';

/**
 * Keeps the page open: Back calls `onBack` instead, and the browser asks before it closes or
 * reloads the tab. Returns a function that ends this.
 */
export function guardLeaving(onBack: () => void): () => void {
  let isStopped = false;
  void beginGuardedEntry();
  const stopGuardingBack = onBackFromGuardedEntry(onBack);

  async function beginGuardedEntry() {
    // An earlier guard may still be removing it.
    await removal;
    if (!isStopped) ensureGuardedEntry();
  }

  const stopWarning = warnBeforeUnload();

  return () => {
    isStopped = true;
    stopGuardingBack();
    stopWarning();
  };
}

/** All guards share one history entry. This resolves when it is no longer being removed. */
let removal: Promise<void> = Promise.resolve();

/** Makes Back work as without a guard. */
export function endGuardedEntry(): Promise<void> {
  removal = removal.then(leaveGuardedEntry);
  return removal;
}

/**
 * Goes back from a guarded page with a full page load: the router would wait for the request. In a
 * tab that had no page before, it goes to the list to which the page belongs.
 */
export function goBack(): void {
  if (window.history.length <= guardedPageEntries) {
    const { pathname } = window.location;
    window.location.replace(sameArea(pathname, accountOf(pathname) ?? ''));
    return;
  }
  const reload = (event: PopStateEvent) => {
    event.stopImmediatePropagation();
    window.location.reload();
  };
  // Capture, to run before the router's own listener.
  window.addEventListener('popstate', reload, { capture: true, once: true });
  // If the browser sends no event, the next Back must not reload the page.
  setTimeout(
    () => window.removeEventListener('popstate', reload, { capture: true }),
    popstateTimeoutMs,
  );
  window.history.go(-guardedPageEntries);
}

/** The page itself, and the entry that guards it. */
const guardedPageEntries = 2;
