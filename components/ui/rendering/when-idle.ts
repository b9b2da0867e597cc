/** For browsers that don't say when they are idle: Safari. */
const PAUSE_MS = 1000;

/** Calls a function when the browser is idle, or after two seconds. Returns how to call it off. */
export function whenIdle(act: () => void): () => void {
  if (typeof requestIdleCallback === 'undefined') {
    const timer = setTimeout(act, PAUSE_MS);
    return () => clearTimeout(timer);
  }
  const handle = requestIdleCallback(act, { timeout: 2 * PAUSE_MS });
  return () => cancelIdleCallback(handle);
}
