import { minuteMs } from '#lib/durations.ts';
import type { Context } from '../context.ts';
import { analyzeGrownTables } from '../db/hot-tables.ts';
import { announceExpiries } from '../domain/api-keys/announce-expiries.ts';
import { endSilentStreams } from '../domain/event-feed/stream-events.ts';
import { sendDueNotices } from '../domain/people/notices/notices.ts';
import { expireRotationRequests } from '../domain/rotation-requests/outcomes/record-request-end.ts';
import { mailOutcomes } from '../domain/rotation-requests/outcomes/mail-outcomes.ts';
import {
  announceFailing,
  announceRecoveries,
  warnOfDeactivation,
} from '../domain/webhooks/deactivation/deactivate-webhook.ts';
import { repeat } from '../timing/repeat.ts';
import type { Repetition } from '../timing/repeat.ts';

type Job = {
  name: string;
  everyMs: number;
  act: (ctx: Context) => Promise<unknown>;
  /** Logged if a run fails. */
  failure: string;
};

/**
 * What a process with the role `worker` repeats besides delivering. Any number of processes may do
 * so. Hourly work is in `housekeeping.ts`.
 */
const jobs: readonly Job[] = [
  {
    name: 'analysis',
    // A PostgreSQL server analyzes its tables by itself too, but only once a minute.
    everyMs: 1000,
    act: analyzeGrownTables,
    failure: 'tables that have grown could not be analyzed',
  },
  {
    name: 'failing webhooks',
    everyMs: 10_000,
    async act(ctx) {
      await announceFailing(ctx);
      await announceRecoveries(ctx);
      await warnOfDeactivation(ctx);
    },
    failure: 'failing webhooks could not be announced',
  },
  {
    name: 'silent streams',
    everyMs: 10_000,
    act: endSilentStreams,
    failure: 'silent streams of events could not be ended',
  },
  {
    name: 'expiring keys',
    everyMs: 10_000,
    act: announceExpiries,
    failure: 'expiring keys could not be announced',
  },
  {
    name: 'outcomes of rotation requests',
    everyMs: 20_000,
    async act(ctx) {
      await expireRotationRequests(ctx);
      await mailOutcomes(ctx);
    },
    failure: 'outcomes of rotation requests could not be sent',
  },
  {
    name: 'notices',
    everyMs: minuteMs,
    act: sendDueNotices,
    failure: 'due notices could not be sent',
  },
];

export function startBackgroundJobs(ctx: Context): (Repetition & { name: string })[] {
  return jobs.map(({ name, act, ...job }) => ({
    name,
    ...repeat({ ...job, act: () => act(ctx), log: ctx.log }),
  }));
}
