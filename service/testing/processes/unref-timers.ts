import { vi } from 'vitest';

/**
 * Makes sure that no timer of the running test keeps the process alive. An embedded database that
 * crashed leaves a timer of ten seconds behind, which nothing else can end.
 */
export function unrefTimers(): void {
  // oxlint-disable-next-line no-restricted-properties -- what it replaces; nothing sleeps
  const { setTimeout } = globalThis;
  vi.stubGlobal('setTimeout', (...args: Parameters<typeof setTimeout>) =>
    setTimeout(...args).unref(),
  );
}
