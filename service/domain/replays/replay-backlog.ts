import type { Tx } from '../../db/open.ts';
import type { Actor } from '../actor.ts';
import { beginReplay } from './begin-replay.ts';
import type { ReplayWindow } from './store.ts';

/**
 * How much longer than until now the window of a resumed webhook is. What is being written at this
 * moment still sees the webhook inactive and makes no delivery for it, and may be committed after
 * this; steps begin once the window is over.
 */
const settlingMs = 5000;

/** Begins to deliver what a webhook missed while it was inactive, in the transaction that resumes it. */
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
