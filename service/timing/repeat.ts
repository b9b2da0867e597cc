import { ThrottledFailures } from '#lib/failures/throttled-failures.ts';
import type { Logger } from '../log/log.ts';

export type Repetition = {
  /** Starts no further run, and resolves when the current run has ended. */
  stop(): Promise<void>;
};

/**
 * Runs `act` every `everyMs`, never twice at a time. A failure is logged, and the next run follows.
 * While the same failure lasts, for example because the database is away, it is logged once a
 * minute.
 */
export function repeat(options: {
  everyMs: number;
  act: () => Promise<unknown>;
  log: Logger;
  failure: string;
}): Repetition {
  const { everyMs, act, log, failure } = options;
  let running: Promise<unknown> | null = null;
  const failures = new ThrottledFailures();
  const logFailure = (error: unknown) => {
    if (failures.note(error)) log.error({ err: error }, failure);
  };
  const timer = setInterval(() => {
    running ??= act()
      .then(() => failures.end(), logFailure)
      .finally(() => {
        running = null;
      });
  }, everyMs);
  timer.unref();
  return {
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}
