import type { Context } from '../../context.ts';
import { freeLeasesOf } from '../lanes/free-leases-of.ts';
import { writeHeartbeat } from './store.ts';
import type { HeartbeatResult } from './store.ts';

/**
 * Says that a worker is there, and frees what workers hold that were silent for `deadAfterMs`. It
 * does so only after a time as long in which it was not silent itself: when a database returns that
 * all workers had lost, each of them has been silent, and none is dead.
 */
export async function recordHeartbeat(
  ctx: Pick<Context, 'db' | 'clock' | 'log'>,
  about: { owner: string; deadAfterMs: number },
): Promise<HeartbeatResult> {
  const result = await writeHeartbeat(ctx.db, about);
  if (result.isSteady && result.silent.length > 0) {
    await freeLeasesOf(ctx, { owners: result.silent, deadAfterMs: about.deadAfterMs });
  }
  return result;
}
