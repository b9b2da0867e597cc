import type { Replay } from '#lib/contract/deliveries/replays.ts';
import { formatApiTime } from '#lib/time.ts';
import type { ReplayRow } from './store/replays.ts';

/** @param waiting how many of its deliveries were not sent since it queued them */
export function describeReplay(row: ReplayRow, waiting: number): Replay {
  return {
    uuid: row.uuid,
    webhook_id: row.webhookId,
    since: formatApiTime(row.since),
    until: formatApiTime(row.until),
    status_filter: row.statusFilter,
    include_pending: row.sendsPending,
    include_earlier: row.sendsEarlier,
    state: row.state,
    total: row.total,
    done: row.done,
    waiting,
    created_at: formatApiTime(row.createdAt),
  };
}
