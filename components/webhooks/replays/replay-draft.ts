import type { ReplayInput } from '#lib/api/replays.ts';
import type { ErrorDetails } from '#lib/contract/error-codes.ts';
import { formatApiTime } from '#lib/time.ts';

/** How far back a window reaches, as the choices of the dialog. */
export const spanChoices = [
  { value: 'hour', label: 'Last hour' },
  { value: 'day', label: 'Last 24 hours' },
  { value: 'week', label: 'Last 7 days' },
  { value: 'own', label: 'Own window' },
] as const;

type Span = (typeof spanChoices)[number]['value'];

/** A replay as it stands in the dialog. */
export type ReplayDraft = {
  span: Span;
  /** `datetime-local` values in the reader's zone; they count for a window of one's own only. */
  since: string;
  /** Empty: now. */
  until: string;
  status: ReplayInput['status'];
};

/** A night ago, and of that what did not arrive. */
export const firstDraft: ReplayDraft = { span: 'day', since: '', until: '', status: 'failed' };

const fields = ['since', 'until'] as const;

/** Messages by field. */
export type WindowErrors = Partial<Record<(typeof fields)[number], string>>;

/** What to ask the service for, or what is wrong with the window. */
export type DraftReading = { ok: true; input: ReplayInput } | { ok: false; errors: WindowErrors };

/** @param now since when the choices count; a window that ends now is left open at its end */
export function readDraft(draft: ReplayDraft, now: Date): DraftReading {
  const { span, status } = draft;
  if (span !== 'own') {
    const since = new Date(now.getTime() - SPANS_MS[span]);
    return { ok: true, input: { since: formatApiTime(since), status } };
  }
  const since = new Date(draft.since);
  const until = draft.until === '' ? null : new Date(draft.until);
  const error = faultOf({ since, until, now });
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

/** The draft with a window of one's own to begin from: the one that was chosen before. */
export function withSpan(draft: ReplayDraft, span: Span, now: Date): ReplayDraft {
  if (span !== 'own' || draft.span === 'own' || draft.since !== '') return { ...draft, span };
  return { ...draft, span, since: localMinute(new Date(now.getTime() - SPANS_MS[draft.span])) };
}

/** A moment as the value of a `datetime-local` field, in the reader's zone. */
export function localMinute(date: Date): string {
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}

/** What the service says of the window's two ends; empty if it is about something else. */
export function windowErrorsOf(details: ErrorDetails = {}): WindowErrors {
  const errors: WindowErrors = {};
  for (const field of fields) {
    const told = details[field];
    if (told) errors[field] = told.join(' ');
  }
  return errors;
}

const HOUR_MS = 3_600_000;

const SPANS_MS = { hour: HOUR_MS, day: 24 * HOUR_MS, week: 7 * 24 * HOUR_MS };

type Ends = { since: Date; until: Date | null; now: Date };

function faultOf({ since, until, now }: Ends): string | null {
  // A field that is filled in by half is empty to its reader.
  if (Number.isNaN(since.getTime())) return 'Say from when: a day and a time.';
  if (since >= now) return 'This is still to come. Choose a time that has passed.';
  if (until !== null && since >= until)
    return 'This is not before the end. Choose an earlier time.';
  return null;
}
