import { ensureGuardedEntry, leaveGuardedEntry, onBackFromGuardedEntry } from './guarded-entry.ts';
import { warnBeforeUnload } from './warn-before-unload.ts';

/**
 * Keeps the page open: Back calls `onBack` instead, and the browser asks before it closes or reloads
 * the tab. Returns a function that ends this.
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

/** Goes back from a guarded page with a full page load: the router would wait for the request. */
export function goBack(): void {
  const reload = (event: PopStateEvent) => {
    event.stopImmediatePropagation();
    window.location.reload();
  };
  // Capture, to run before the router's own listener.
  window.addEventListener('popstate', reload, { capture: true, once: true });
  // The guarded entry is left as well.
  window.history.go(-2);
}
