import type { Replay, ReplaySize } from '#lib/contract/deliveries/replays.ts';
import { countOf, formatCount } from '#lib/count.ts';

/** "312 events would be sent again." */
export function describeCount(count: number): string {
  if (count === 0) return 'Nothing to send in this window.';
  return `${countOf(count, 'event')} would be sent again.`;
}

/** "In this window: 12 failed · 3 wait for a retry · 40 were not sent" and so on, without zeros. */
export function describeKinds(size: ReplaySize): string {
  const kinds = [
    [size.failed, 'failed'],
    [size.pending, size.pending === 1 ? 'waits for a retry' : 'wait for a retry'],
    [size.missed, 'not sent while the webhook was paused or not subscribed'],
    [size.before_creation, 'from before this webhook was created'],
    [size.delivered, 'delivered'],
  ] as const;
  const shown = kinds.flatMap(([count, words]) =>
    count === 0 ? [] : [`${formatCount(count)} ${words}`],
  );
  return shown.length === 0
    ? 'There are no events in this window.'
    : `In this window: ${shown.join(' · ')}.`;
}

/** The button's label: "Replay 312 events"; without a number while it is not known. */
export function replayLabel(count: number | null): string {
  return count === null || count === 0 ? 'Replay events' : `Replay ${countOf(count, 'event')}`;
}

/** Whether a replay has more to send. */
export function isSending({ state, waiting }: Replay): boolean {
  return state === 'running' || (state === 'done' && waiting > 0);
}

/** "1,000 of 1,412 sent" */
export function describeProgress({
  state,
  done,
  total,
  waiting,
}: Pick<Replay, 'state' | 'done' | 'total' | 'waiting'>): string {
  // What arrived in the meantime is not sent again, so fewer may be queued than were counted.
  const all = state === 'done' ? done : total;
  return `${formatCount(sentOf({ done, waiting }))} of ${formatCount(all)} sent`;
}

/** How many events of a replay were sent. */
export function sentOf({ done, waiting }: Pick<Replay, 'done' | 'waiting'>): number {
  return Math.max(0, done - waiting);
}

/** Describes how a replay ended, which `isSending` is false for. */
export function describeEnd({ state, done, total }: Replay): string {
  if (state === 'cancelled') {
    return `Replay cancelled: ${formatCount(done)} of ${countOf(total, 'event')} ${wasOrWere(total)} queued.`;
  }
  if (done === 0) return 'There was nothing to send.';
  return `${countOf(done, 'event')} ${wasOrWere(done)} sent.`;
}

/** Whether cancelling needs a confirmation: of all events, nobody knows which were sent. */
export function needsCancelConfirmation({ state, status_filter: which, done }: Replay): boolean {
  return state === 'running' && which === 'all' && done > 0;
}

function wasOrWere(count: number): string {
  return count === 1 ? 'was' : 'were';
}
