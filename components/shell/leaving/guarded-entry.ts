const stateKey = 'guardedEntry';

/** Makes sure that Back leaves only a history entry with the same URL. */
export function ensureGuardedEntry(): void {
  if (isGuardedEntry()) return;
  window.history.pushState({ ...stateOf(window.history), [stateKey]: true }, '');
}

export function isGuardedEntry(): boolean {
  return stateOf(window.history)[stateKey] === true;
}

/**
 * Calls `onBack` when Back was pressed in a guarded entry, and stays on the page. Returns a
 * function that ends this.
 */
export function onBackFromGuardedEntry(onBack: () => void): () => void {
  function onPopState(event: PopStateEvent) {
    if (isGuardedEntry()) return;
    // Both entries have the same URL, so the router has nothing to do. It would rerender the page
    // and close a guarded dialog.
    event.stopImmediatePropagation();
    ensureGuardedEntry();
    onBack();
  }
  // Capture, to run before the router's own listener.
  window.addEventListener('popstate', onPopState, { capture: true });
  return () => window.removeEventListener('popstate', onPopState, { capture: true });
}

/** After this, no event comes for a step through the history. */
export const popstateTimeoutMs = 500;

/** Removes the guarded entry, if there is one, and resolves once a navigation can follow. */
export async function leaveGuardedEntry(): Promise<void> {
  if (!isGuardedEntry()) return;
  await new Promise<void>((resolve) => {
    function onPopState(event: PopStateEvent) {
      event.stopImmediatePropagation();
      done();
    }
    function done() {
      window.removeEventListener('popstate', onPopState, { capture: true });
      clearTimeout(timer);
      resolve();
    }
    // If the browser sends no event, the page must not wait forever.
    const timer = setTimeout(done, popstateTimeoutMs);
    window.addEventListener('popstate', onPopState, { capture: true });
    window.history.back();
  });
}

function stateOf(history: History): Record<string, unknown> {
  const state: unknown = history.state;
  return typeof state === 'object' && state !== null ? { ...state } : {};
}
