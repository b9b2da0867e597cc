import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { dayMs, minuteMs } from '#lib/durations.ts';
import type { Context } from '../../context.ts';
import { repeat, type Repetition } from '../../timing/repeat.ts';
import { version } from '../../version.ts';
import { deleteProcess, writeHeartbeat, type ProcessRow } from './store.ts';

/** A process without a sign of life for so long is shown as silent. */
export const silentAfterMs = minuteMs;

/** Long enough that an operator sees in the morning which process died at night. */
const keptMs = dayMs;

/**
 * Records that this process runs, now and every 15 seconds, in one statement each. A process that
 * is killed leaves its row behind: the one that takes its place removes it, and so does any process
 * after a day. Unlike the heartbeats of workers, nothing is decided by these.
 */
export async function startProcessHeartbeat(
  ctx: Pick<Context, 'db' | 'clock' | 'config' | 'log'>,
  {
    everyMs = 15_000,
    ...self
  }: { everyMs?: number } & Partial<Pick<ProcessRow, 'host' | 'pid' | 'version'>> = {},
): Promise<Repetition> {
  const { db, clock, config, log } = ctx;
  const started = {
    id: randomUUID(),
    host: hostname(),
    pid: process.pid,
    version,
    ...self,
    roles: [...config.roles],
    startedAt: clock.now(),
  };
  const act = async () => {
    const seenAt = clock.now();
    await writeHeartbeat(db, {
      process: { ...started, seenAt, memoryBytes: process.memoryUsage.rss() },
      silentSince: new Date(seenAt.getTime() - silentAfterMs),
      keptSince: new Date(seenAt.getTime() - keptMs),
      isAlone: config.databaseUrl === null,
    });
  };
  await act();
  const failure = 'the sign of life of this process could not be recorded';
  const repetition = repeat({ everyMs, act, log, failure });
  return {
    async stop() {
      await repetition.stop();
      await deleteProcess(db, started.id);
    },
  };
}
