import { vi } from 'vitest';

/**
 * Lets no timer of the running test keep its process alive. An embedded database that crashed leaves
 * one of ten seconds behind, which only the end of the process ends.
 */
export function unrefTimers(): void {
  // oxlint-disable-next-line no-restricted-properties -- what it replaces; nothing sleeps
  const { setTimeout } = globalThis;
  vi.stubGlobal('setTimeout', (...args: Parameters<typeof setTimeout>) =>
    setTimeout(...args).unref(),
  );
}
