import type { Clock } from '../../clock.ts';
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/open.ts';
import type { Actor } from '../actor.ts';
import { beginReplay, countRest } from './begin-replay.ts';
import {
  countReplayEvents,
  findGivenUp,
  type ReplayCount,
  type ReplayWindow,
} from './store/replay-events.ts';

/**
 * How far the window of a resumed webhook extends beyond now. An event that is being written at
 * this moment still sees the webhook inactive and gets no delivery to it, and may be committed
 * after this transaction. Steps begin once the window is over and these events are committed
 * (`advance-replays.ts`).
 *
 * Of the events from before the webhook became inactive, only those are sent that it was given up
 * for: an earlier event gets its delivery when it is written (`event-with-deliveries.ts`), even if
 * that is after the pause, and what was skipped right before the pause must not be sent.
 */
const settlingMs = 5000;

/**
 * The events that a webhook missed while it was inactive, and those that were given up since it
 * began to fail, such as the event that got a 410.
 */
export type Backlog = {
  webhook: ReplayWindow['webhook'];
  inactiveSince: Date;
  /** Null if its latest attempt succeeded. */
  failingSince: Date | null;
};

/** How many events a backlog had at a moment: from `since` on, and how many were given up. */
export type CountedBacklog = Backlog & {
  since: Date;
  failed: number;
  counted: ReplayCount;
  at: Date;
};

/**
 * Counts a backlog, for `replayBacklog` or, with `until`, for people. Not to be done in the transaction that resumes the webhook:
 * completions wait for its locks, and a large backlog takes seconds to count.
 */
export async function countBacklog(
  ctx: Pick<Context, 'db' | 'clock' | 'heavyReads'>,
  actor: Actor,
  { until, ...backlog }: Backlog & { until?: Date },
): Promise<CountedBacklog> {
  const { webhook, inactiveSince, failingSince } = backlog;
  return await ctx.heavyReads.run(actor.accountId, async () => {
    // Events of the last moments may not be committed yet: they are counted with the rest.
    const at = until ?? new Date(ctx.clock.now().getTime() - settlingMs);
    const givenUp =
      failingSince && (await findGivenUp(ctx.db, webhook, { failingSince, until: inactiveSince }));
    const since = givenUp?.since ?? inactiveSince;
    const window = { webhook, since, until: at, statusFilter: 'failed', inactiveSince } as const;
    const counted = await countReplayEvents(ctx.db, window);
    return { ...backlog, since, failed: givenUp?.count ?? 0, at, counted };
  });
}

/** Whether this backlog was counted, not another one: the webhook may have changed. */
export function isCountOf(
  counted: CountedBacklog,
  { webhook, inactiveSince, failingSince }: Backlog,
): boolean {
  const types = new Set(counted.webhook.events);
  return (
    counted.inactiveSince.getTime() === inactiveSince.getTime() &&
    counted.failingSince?.getTime() === failingSince?.getTime() &&
    types.size === new Set(webhook.events).size &&
    webhook.events.every((type) => types.has(type))
  );
}

/**
 * Starts a replay of the backlog of a webhook, in the transaction that resumes it. Only those that happened since they were counted are counted here.
 */
export async function replayBacklog(
  { tx, actor, clock }: { tx: Tx; actor: Actor; clock: Clock },
  webhook: Backlog['webhook'] & { name: string },
  count: CountedBacklog,
): Promise<void> {
  const { since, inactiveSince } = count;
  const missed = { webhook, since, inactiveSince, statusFilter: 'failed' } as const;
  const counted = await countRest(tx, { ...missed, until: settled(clock.now()) }, count);
  // Read after the count, which may have waited for longer than an event needs to settle: until the
  // commit, no event gets a delivery to this webhook.
  const now = clock.now();
  await beginReplay(tx, actor, {
    ...missed,
    until: settled(now),
    counted,
    now,
  });
}

function settled(now: Date): Date {
  return new Date(now.getTime() + settlingMs);
}
