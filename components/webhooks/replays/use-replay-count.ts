'use client';

import type { FailedAction } from '#components/shell/actions/use-failure-state.ts';
import { useLatestResult } from '#components/shell/actions/use-latest-result.ts';
import { createReplay } from '#lib/actions/webhooks.ts';
import type { ReplayInput, ReplaySize } from '#lib/contract/deliveries/replays.ts';

/** The number of events that a replay would send. */
export type ReplayCount =
  /** There is no window to count events in. */
  | { state: 'none' }
  | { state: 'counting' }
  | { state: 'counted'; size: ReplaySize }
  | ({ state: 'failed' } & Pick<FailedAction, 'failure' | 'deadline'>);

/**
 * Counts the events of a replay again after each change.
 *
 * @param webhook uuid
 * @param input what to count; null: nothing
 * @param round a new number counts the same input again
 */
export function useReplayCount(
  webhook: string,
  input: ReplayInput | null,
  round: number,
): ReplayCount {
  const { value, failedAction } = useLatestResult(
    input && {
      key: JSON.stringify([input, round]),
      call: () => createReplay({ params: { webhook }, body: { ...input, dry_run: true } }),
    },
  );
  if (input === null) return { state: 'none' };
  if (value !== null && 'count' in value.data) return { state: 'counted', size: value.data };
  return failedAction === null ? { state: 'counting' } : { state: 'failed', ...failedAction };
}
