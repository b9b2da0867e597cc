import type { Tx } from '../../db/open.ts';
import type { Actor } from '../actor.ts';
import { beginReplay } from './begin-replay.ts';
import type { ReplayWindow } from './store.ts';

/**
 * How far the window of a resumed webhook extends beyond now. An event that is being written at
 * this moment still sees the webhook inactive and gets no delivery to it, and may be committed
 * after this transaction. Steps begin once the window is over.
 */
const settlingMs = 5000;

/**
 * Starts a replay of the events that a webhook missed while it was inactive, in the transaction
 * that resumes it.
 */
export async function replayBacklog(
  { tx, actor }: { tx: Tx; actor: Actor },
  about: { webhook: ReplayWindow['webhook'] & { name: string }; inactiveSince: Date; now: Date },
): Promise<void> {
  const { webhook, inactiveSince, now } = about;
  await beginReplay(tx, actor, {
    webhook,
    since: inactiveSince,
    until: new Date(now.getTime() + settlingMs),
    statusFilter: 'failed',
    now,
  });
}
