import type { ReplayInput } from '#lib/api/replays.ts';
import type { ErrorDetails } from '#lib/contract/error-codes.ts';
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
  status: ReplayInput['status'];
};

/** What failed within the last 24 hours. */
export const defaultDraft: ReplayDraft = { preset: '24h', since: '', until: '', status: 'failed' };

const fields = ['since', 'until'] as const;

/** Error messages by field. */
export type WindowErrors = Partial<Record<(typeof fields)[number], string>>;

/** The request, or what is wrong with the window. */
export type ParsedDraft = { ok: true; input: ReplayInput } | { ok: false; errors: WindowErrors };

/**
 * Turns the draft into a request. A window that ends now has no `until`.
 * @param now the time from which presets count back
 */
export function parseDraft(draft: ReplayDraft, now: Date): ParsedDraft {
  const { preset, status } = draft;
  if (preset !== 'custom') {
    const since = new Date(now.getTime() - timeSpans[preset].milliseconds);
    return { ok: true, input: { since: formatApiTime(since), status } };
  }
  const since = new Date(draft.since);
  const until = draft.until === '' ? null : new Date(draft.until);
  const error = windowProblem({ since, until, now });
  if (error !== null) return { ok: false, errors: { since: error } };
  return {
    ok: true,
    input: {
      since: formatApiTime(since),
      ...(until !== null && { until: formatApiTime(until) }),
      status,
    },
  };
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

/** The service's messages about the window; empty if they are about something else. */
export function windowErrorsFrom(details: ErrorDetails = {}): WindowErrors {
  const errors: WindowErrors = {};
  for (const field of fields) {
    const messages = details[field];
    if (messages) errors[field] = messages.join(' ');
  }
  return errors;
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
