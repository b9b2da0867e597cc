import type { Context } from '../../context.ts';
import { advanceReplays } from './advance-replays.ts';

const everyMs = 1000;

/**
 * Moves replays on by a step each second, which bounds what one adds to its webhook's queue. A
 * second in which none runs costs one look into an index that is empty then.
 */
export function startReplays(ctx: Context): { stop(): Promise<void> } {
  let running: Promise<unknown> | null = null;
  const timer = setInterval(() => {
    running ??= advanceReplays(ctx)
      .catch((error: unknown) => ctx.log.error({ err: error }, 'replays did not move on'))
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
