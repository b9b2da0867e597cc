import type { Clock } from '../../clock.ts';
import type { Tx } from '../../db/open.ts';
import type { Actor } from '../actor.ts';
import { beginReplay } from './begin-replay.ts';
import { countReplayEvents } from './store/replay-events.ts';
import type { ReplayWindow } from './store/replay-events.ts';

/**
 * How far the window of a resumed webhook extends beyond now. An event that is being written at
 * this moment still sees the webhook inactive and gets no delivery to it, and may be committed
 * after this transaction. Steps begin once the window is over.
 */
const settlingMs = 5000;

type Backlog = { webhook: ReplayWindow['webhook'] & { name: string }; inactiveSince: Date };

/**
 * Starts a replay of the events that a webhook missed while it was inactive, in the transaction
 * that resumes it.
 */
export async function replayBacklog(
  { tx, actor, clock }: { tx: Tx; actor: Actor; clock: Clock },
  { webhook, inactiveSince }: Backlog,
): Promise<void> {
  const missed = { webhook, since: inactiveSince, statusFilter: 'failed' } as const;
  const counted = await countReplayEvents(tx, { ...missed, until: settled(clock.now()) });
  // Read after the count, which can take longer than an event needs to settle: until the commit, no
  // event gets a delivery to this webhook.
  const now = clock.now();
  await beginReplay(tx, actor, { ...missed, until: settled(now), counted, now });
}

function settled(now: Date): Date {
  return new Date(now.getTime() + settlingMs);
}
