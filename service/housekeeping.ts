import type { Context } from './context.ts';
import { forgetOldAnswers } from './domain/idempotency/forget-old-answers.ts';

const everyMs = 3_600_000;

/** Removes, every hour, what has outlived its use. Any number of processes may do so at once. */
export function startHousekeeping(ctx: Context): { stop(): Promise<void> } {
  let running: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    running = forgetOldAnswers(ctx).catch((error: unknown) =>
      ctx.log.error({ err: error }, 'housekeeping failed'),
    );
  }, everyMs);
  return {
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}
