import type { Logger } from '../log/log.ts';

export type Repetition = {
  /** Starts no further run, and resolves when the current run has ended. */
  stop(): Promise<void>;
};

/**
 * Runs `act` every `everyMs`, never twice at a time. A failure is logged, and the next run follows.
 */
export function repeat(options: {
  everyMs: number;
  act: () => Promise<unknown>;
  log: Logger;
  failure: string;
}): Repetition {
  const { everyMs, act, log, failure } = options;
  let running: Promise<unknown> | null = null;
  const timer = setInterval(() => {
    running ??= act()
      .catch((error: unknown) => log.error({ err: error }, failure))
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
