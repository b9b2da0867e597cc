/** How many milliseconds the result of a probe is cached. */
type Ttl = { succeeded: number; failed: number };

/** How long a probe may take before it counts as failed. */
const timeoutMs = 2000;

/**
 * Makes a probe that any number of clients may ask for: its result is cached, and never two of them
 * run at the same time.
 *
 * @returns whether the probe succeeded, within 2 seconds
 */
export function cachedProbe(probe: () => Promise<void>, ttl: Ttl): () => Promise<boolean> {
  let result: Promise<boolean> | null = null;
  // Measured with the monotonic clock, because a change of the system time must not extend it.
  let expiresAt = Infinity;
  async function run(): Promise<boolean> {
    expiresAt = Infinity;
    const hasSucceeded = await succeeds(probe);
    expiresAt = performance.now() + (hasSucceeded ? ttl.succeeded : ttl.failed);
    return hasSucceeded;
  }
  return async () => {
    if (result === null || performance.now() >= expiresAt) result = run();
    return await withinTimeout(result);
  };
}

function succeeds(act: () => Promise<void>): Promise<boolean> {
  return act().then(
    () => true,
    () => false,
  );
}

async function withinTimeout(probe: Promise<boolean>): Promise<boolean> {
  const { promise: timedOut, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(resolve, timeoutMs, false);
  const hasSucceeded = await Promise.race([probe, timedOut]);
  clearTimeout(timer);
  return hasSucceeded;
}
