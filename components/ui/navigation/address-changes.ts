const pending = new Set<Promise<unknown>>();

/**
 * Takes what nuqs returns for a change of filters, an open drawer or whatever else the address
 * holds. nuqs writes to the address a moment later, and Next gives up a navigation that is under
 * way when somebody writes to it: so navigations wait for `waitForAddress`.
 */
export function changeAddress(change: Promise<unknown>): void {
  pending.add(change);
  void change.finally(() => pending.delete(change));
}

/** Null: the address says all that it should. */
export function waitForAddress(): Promise<unknown> | null {
  return pending.size === 0 ? null : Promise.allSettled(pending);
}
