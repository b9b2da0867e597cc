import type { Replay } from '#lib/contract/deliveries/replays.ts';
import { formatApiTime } from '#lib/time.ts';
import type { ReplayRow } from './store/replays.ts';

export function describeReplay(row: ReplayRow): Replay {
  return {
    uuid: row.uuid,
    webhook_id: row.webhookId,
    since: formatApiTime(row.since),
    until: formatApiTime(row.until),
    status_filter: row.statusFilter,
    state: row.state,
    total: row.total,
    done: row.done,
    created_at: formatApiTime(row.createdAt),
  };
}
