import type { Tx } from '../../db/open.ts';
import { countReplayEvents } from './store/replay-events.ts';
import type { ReplayCount, ReplayWindow } from './store/replay-events.ts';

/**
 * How many events a window has, of which those before `at` were counted already. For the transaction
 * that creates a replay: it may have waited since the count, and must not count everything again,
 * because settlements wait for its locks.
 */
export async function countRest(
  tx: Tx,
  window: ReplayWindow,
  { counted, at }: { counted: ReplayCount; at: Date },
): Promise<ReplayCount> {
  const since = at > window.since ? at : window.since;
  if (since >= window.until) return counted;
  const rest = await countReplayEvents(tx, { ...window, since });
  const ids = [counted.firstEventId, rest.firstEventId].filter((id) => id !== null);
  return {
    count: counted.count + rest.count,
    firstEventId: ids.length === 0 ? null : Math.min(...ids),
  };
}
