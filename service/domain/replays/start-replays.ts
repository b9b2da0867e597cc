import type { Context } from '../../context.ts';
import { repeat } from '../../repeat.ts';
import type { Repetition } from '../../repeat.ts';
import { advanceReplays } from './advance-replays.ts';

const everyMs = 1000;

/**
 * Moves replays on by a step each second, which bounds what one adds to its webhook's queue. A
 * second in which none runs costs a look into each of two indexes that are empty then.
 */
export function startReplays(ctx: Context): Repetition {
  return repeat({
    everyMs,
    act: () => advanceReplays(ctx),
    log: ctx.log,
    failure: 'replays did not move on',
  });
}
