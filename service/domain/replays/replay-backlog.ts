import type { EventType } from '#lib/contract/events/events.ts';
import type { Clock } from '../../clock.ts';
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/open.ts';
import type { Actor } from '../actor.ts';
import { beginReplay } from './begin-replay.ts';
import { countRest } from './count-rest.ts';
import { countReplayEvents } from './store/replay-events.ts';
import type { ReplayCount } from './store/replay-events.ts';

/**
 * How far the window of a resumed webhook extends beyond now. An event that is being written at
 * this moment still sees the webhook inactive and gets no delivery to it, and may be committed
 * after this transaction. Steps begin once the window is over and these events are committed
 * (`advance-replays.ts`).
 *
 * The window begins exactly when the webhook became inactive: an earlier event gets its delivery
 * when it is written (`event-with-deliveries.ts`), even if that is after the pause. With an earlier
 * begin, a replay would send what was skipped right before the pause.
 */
const settlingMs = 5000;

/** The events that a webhook missed while it was inactive. */
export type Backlog = {
  webhook: { accountId: string; id: number; events: readonly EventType[] };
  inactiveSince: Date;
};

/** How many events a backlog had at a moment. */
export type CountedBacklog = Backlog & { counted: ReplayCount; at: Date };

/**
 * Counts a backlog, for `replayBacklog`. Not to be done in the transaction that resumes the webhook:
 * settlements wait for its locks, and a large backlog takes seconds to count.
 */
export async function countBacklog(
  ctx: Pick<Context, 'db' | 'clock' | 'heavyReads'>,
  actor: Actor,
  { webhook, inactiveSince }: Backlog,
): Promise<CountedBacklog> {
  return await ctx.heavyReads.run(actor.accountId, async () => {
    // Events of the last moments may not be committed yet: they are counted with the rest.
    const at = new Date(ctx.clock.now().getTime() - settlingMs);
    const missed = { webhook, since: inactiveSince, until: at, statusFilter: 'failed' } as const;
    return { webhook, inactiveSince, at, counted: await countReplayEvents(ctx.db, missed) };
  });
}

/** Whether a backlog was counted, and not another one: the webhook may have changed meanwhile. */
export function isCountOf(counted: CountedBacklog, { webhook, inactiveSince }: Backlog): boolean {
  const types = new Set(counted.webhook.events);
  return (
    counted.inactiveSince.getTime() === inactiveSince.getTime() &&
    types.size === new Set(webhook.events).size &&
    webhook.events.every((type) => types.has(type))
  );
}

/**
 * Starts a replay of the events that a webhook missed while it was inactive, in the transaction
 * that resumes it. Only those that happened since they were counted are counted here.
 */
export async function replayBacklog(
  { tx, actor, clock }: { tx: Tx; actor: Actor; clock: Clock },
  webhook: Backlog['webhook'] & { name: string },
  count: CountedBacklog,
): Promise<void> {
  const missed = { webhook, since: count.inactiveSince, statusFilter: 'failed' } as const;
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
