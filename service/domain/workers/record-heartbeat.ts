import type { Context } from '../../context.ts';
import { freeLeasesOf } from '../lanes/free-leases-of.ts';
import { writeHeartbeat } from './store.ts';
import type { Heard } from './store.ts';

/**
 * Says that a worker is there, and frees what workers hold that were silent for `deadAfterMs`. It
 * does so only after a time as long in which it was not silent itself: when a database returns that
 * all workers had lost, each of them has been silent, and none is dead.
 */
export async function recordHeartbeat(
  ctx: Pick<Context, 'db' | 'clock' | 'log'>,
  about: { owner: string; deadAfterMs: number },
): Promise<Heard> {
  const heard = await writeHeartbeat(ctx.db, about);
  if (heard.isSteady && heard.silent.length > 0) {
    await freeLeasesOf(ctx, { owners: heard.silent, deadAfterMs: about.deadAfterMs });
  }
  return heard;
}
