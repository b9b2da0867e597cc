import type { FieldErrors } from '#components/shell/form/group-errors-by-field.ts';
import type { ReplayInput } from '#lib/contract/deliveries/replays.ts';
import { dayMs } from '#lib/durations.ts';
import { formatApiTime, formatDateTimeLocal } from '#lib/time.ts';
import { type TimeSpan, timeSpanChoices, timeSpans } from '../time-spans.ts';

/** The windows that can be chosen. */
export const windowPresets = [
  ...timeSpanChoices.map((value) => ({ value, label: timeSpans[value].last })),
  { value: 'custom', label: 'Custom' } as const,
];

type WindowPreset = TimeSpan | 'custom';

/** The values of the dialog. */
export type ReplayDraft = {
  preset: WindowPreset;
  /** `datetime-local` values in the reader's time zone. Used only if `preset` is `custom`. */
  since: string;
  /** Empty means now. */
  until: string;
  status: 'failed' | 'all';
  /** Whether what waits for a retry is sent now as well. */
  hasPending: boolean;
  /** Whether events from before the webhook was created are sent as well. */
  hasEarlier: boolean;
};

/** The failed events of the last 24 hours. */
export const defaultDraft: ReplayDraft = {
  preset: '24h',
  since: '',
  until: '',
  status: 'failed',
  hasPending: false,
  hasEarlier: false,
};

export type WindowErrors = FieldErrors<'since' | 'until'>;

/** What is wrong with the window. @param now the time of the request */
export function validateDraft({ preset, ...ends }: ReplayDraft, now: Date): WindowErrors {
  if (preset !== 'custom') return {};
  const since = new Date(ends.since);
  const until = ends.until === '' ? null : new Date(ends.until);
  const error = windowProblem({ since, until, now });
  return error === null ? {} : { since: error };
}

/** The request of an error-free draft. A window that ends now has no `until`. */
export function toReplayInput(
  { preset, status, hasPending, hasEarlier, ...ends }: ReplayDraft,
  now: Date,
): ReplayInput {
  const choice = {
    status,
    ...(hasPending && { include_pending: true }),
    ...(hasEarlier && { include_earlier: true }),
  };
  if (preset !== 'custom') {
    const since = new Date(now.getTime() - timeSpans[preset].milliseconds);
    return { since: formatApiTime(since), ...choice };
  }
  return {
    since: formatApiTime(new Date(ends.since)),
    ...(ends.until !== '' && { until: formatApiTime(new Date(ends.until)) }),
    ...choice,
  };
}

/**
 * Whether a window may start before the oldest event that is kept. How long events are kept is a
 * setting of the service, of one day at least.
 */
export function mayStartTooEarly(input: ReplayInput | null, now: Date): boolean {
  return input !== null && now.getTime() - Date.parse(input.since) > dayMs;
}

/** Selects a preset. A custom window starts with the values of the preset before. */
export function selectPreset(draft: ReplayDraft, preset: WindowPreset, now: Date): ReplayDraft {
  if (preset !== 'custom' || draft.preset === 'custom' || draft.since !== '')
    return { ...draft, preset };
  return {
    ...draft,
    preset,
    since: formatDateTimeLocal(new Date(now.getTime() - timeSpans[draft.preset].milliseconds)),
  };
}

type Ends = { since: Date; until: Date | null; now: Date };

function windowProblem({ since, until, now }: Ends): string | null {
  // A partly filled field has an empty value.
  if (Number.isNaN(since.getTime())) return 'Enter a day and a time.';
  if (since >= now) return 'This is in the future. Choose a time in the past.';
  if (until !== null && since >= until)
    return 'The start must be before the end. Choose an earlier time.';
  return null;
}
