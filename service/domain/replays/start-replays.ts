import type { Context } from '../../context.ts';
import { repeat } from '../../repeat.ts';
import type { Repetition } from '../../repeat.ts';
import { advanceReplays } from './advance-replays.ts';

const everyMs = 1000;

/**
 * Advances replays by a step each second. If none runs, a second costs a look into two empty indexes.
 */
export function startReplays(ctx: Context): Repetition {
  return repeat({
    everyMs,
    act: () => advanceReplays(ctx),
    log: ctx.log,
    failure: 'replays did not move on',
  });
}
