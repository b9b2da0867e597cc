import type { Context } from '../../context.ts';
import { freeLeasesOfSilentWorkers } from '../lanes/recover-lanes.ts';
import { deleteWorker, writeHeartbeat, type HeartbeatResult } from './store.ts';

/**
 * Records that a worker is alive, and frees the leases of workers that have been silent for
 * `deadAfterMs`. It frees leases only after it has itself recorded heartbeats regularly for as
 * long: when a database comes back that all workers had lost, each of them has been silent, but
 * none is dead.
 */
export async function recordHeartbeat(
  ctx: Pick<Context, 'db' | 'clock' | 'log'>,
  options: { owner: string; deadAfterMs: number },
): Promise<HeartbeatResult> {
  const result = await writeHeartbeat(ctx.db, options);
  if (result.isSteady && result.silent.length > 0) {
    await freeLeasesOfSilentWorkers(ctx, {
      owners: result.silent,
      deadAfterMs: options.deadAfterMs,
    });
  }
  return result;
}

/** Removes a worker that has released all its leases. */
export async function removeWorker({ db }: Pick<Context, 'db'>, owner: string): Promise<void> {
  await deleteWorker(db, owner);
}
