import type { Replay } from '#lib/contract/deliveries/replays.ts';
import { countOf, formatCount } from '#lib/count.ts';

/** "312 events would be sent again." */
export function describeCount(count: number): string {
  if (count === 0) return 'Nothing to send in this window.';
  return `${countOf(count, 'event')} would be sent again.`;
}

/** The button's label: "Replay 312 events"; without a number while it is not known. */
export function replayLabel(count: number | null): string {
  return count === null || count === 0 ? 'Replay events' : `Replay ${countOf(count, 'event')}`;
}

/** "1,000 of 1,412 queued" */
export function describeProgress({ done, total }: Pick<Replay, 'done' | 'total'>): string {
  return `${formatCount(done)} of ${formatCount(total)} queued`;
}

/** Describes how a replay ended. @param isActive whether its webhook is active */
export function describeEnd({ state, done, total }: Replay, isActive: boolean): string {
  if (state === 'cancelled') {
    return `Replay cancelled: ${formatCount(done)} of ${countOf(total, 'event')} ${wasOrWere(total)} queued.`;
  }
  if (done === 0) return 'There was nothing to send.';
  const rest = isActive
    ? `${itIsOrTheyAre(done)} sent along with new events`
    : `${done === 1 ? 'it waits' : 'they wait'} while the webhook is inactive`;
  return `${countOf(done, 'event')} ${done === 1 ? 'is' : 'are'} queued; ${rest}.`;
}

/**
 * Whether cancelling needs a confirmation: after a replay of all events is cancelled, nobody can
 * tell which of them were sent.
 */
export function needsCancelConfirmation({ state, status_filter: which, done }: Replay): boolean {
  return state === 'running' && which === 'all' && done > 0;
}

function wasOrWere(count: number): string {
  return count === 1 ? 'was' : 'were';
}

function itIsOrTheyAre(count: number): string {
  return count === 1 ? 'it is' : 'they are';
}
