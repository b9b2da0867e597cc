/** For browsers that don't say when they are idle: Safari. */
const pauseMs = 1000;

/** Calls a function when the browser is idle, or after two seconds. Returns how to call it off. */
export function whenIdle(act: () => void): () => void {
  if (typeof requestIdleCallback === 'undefined') {
    const timer = setTimeout(act, pauseMs);
    return () => clearTimeout(timer);
  }
  const handle = requestIdleCallback(act, { timeout: 2 * pauseMs });
  return () => cancelIdleCallback(handle);
}
