import type { Context } from '../../context.ts';
import { repeat } from '../../timing/repeat.ts';
import type { Repetition } from '../../timing/repeat.ts';
import { advanceReplays } from './advance-replays.ts';

const everyMs = 1000;

/**
 * Advances replays by a step each second. Stopping waits only for the step in progress. While no
 * replay runs, a step only reads two empty indexes.
 */
export function startReplays(ctx: Context): Repetition {
  const stopping = new AbortController();
  const repetition = repeat({
    everyMs,
    act: () => advanceReplays(ctx, stopping.signal),
    log: ctx.log,
    failure: 'could not advance replays',
  });
  return {
    async stop() {
      stopping.abort();
      await repetition.stop();
    },
  };
}
