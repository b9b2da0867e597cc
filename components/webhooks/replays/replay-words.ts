import type { Replay } from '#lib/contract/replays.ts';

/** "312 events would be sent again." */
export function countInWords(count: number): string {
  if (count === 0) return 'Nothing to send in this window.';
  return `${eventsInWords(count)} would be sent again.`;
}

/** The button's: "Replay 312 events"; without a number while that is not known. */
export function replayLabel(count: number | null): string {
  return count === null || count === 0 ? 'Replay events' : `Replay ${eventsInWords(count)}`;
}

/** "1,000 of 1,412 queued" */
export function progressInWords({ done, total }: Pick<Replay, 'done' | 'total'>): string {
  return `${grouped(done)} of ${grouped(total)} queued`;
}

/** How a replay ended, or that everything of it is queued. @param isActive of its webhook */
export function endInWords({ state, done, total }: Replay, isActive: boolean): string {
  if (state === 'cancelled') {
    return `Replay cancelled: ${grouped(done)} of ${eventsInWords(total)} ${were(total)} queued.`;
  }
  if (done === 0) return 'Nothing was left to queue.';
  const rest = isActive
    ? `${they(done)} sent behind what is new`
    : `${done === 1 ? 'it waits' : 'they wait'} while the webhook is inactive`;
  return `${eventsInWords(done)} ${done === 1 ? 'is' : 'are'} queued; ${rest}.`;
}

/**
 * Whether cancelling costs more than asking for the same window again: of a replay of everything
 * nobody could tell then what is still to be repeated.
 */
export function losesItsPlace({ state, status_filter: which, done }: Replay): boolean {
  return state === 'running' && which === 'all' && done > 0;
}

function eventsInWords(count: number): string {
  return `${grouped(count)} ${count === 1 ? 'event' : 'events'}`;
}

function were(count: number): string {
  return count === 1 ? 'was' : 'were';
}

function they(count: number): string {
  return count === 1 ? 'it is' : 'they are';
}

function grouped(count: number): string {
  return count.toLocaleString('en-GB');
}
