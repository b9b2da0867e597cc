import { queryOptions } from '@tanstack/react-query';
import type { Replay } from '../contract/deliveries/replays.ts';
import { read } from './read.ts';

/** One replay and its progress. @param replay uuid */
export function replayQuery(accountId: string, replay: string) {
  return queryOptions({
    queryKey: ['replays', accountId, replay],
    queryFn: ({ signal }) =>
      read<Replay>(accountId, `replays/${encodeURIComponent(replay)}`, signal),
  });
}
