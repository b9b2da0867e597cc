const pending = new Set<Promise<unknown>>();

/**
 * Records the promise that nuqs returns when a filter, an open drawer or other state in the URL
 * changes. nuqs updates the URL a moment later, and Next cancels a navigation in progress when the
 * URL is updated, so navigations wait for `waitForAddress`.
 */
export function changeAddress(change: Promise<unknown>): void {
  pending.add(change);
  void change.finally(() => pending.delete(change));
}

/** Null: the URL is up to date. */
export function waitForAddress(): Promise<unknown> | null {
  return pending.size === 0 ? null : Promise.allSettled(pending);
}
