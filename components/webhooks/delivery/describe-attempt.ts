import { attemptErrors } from '#lib/contract/deliveries/attempt-errors.ts';
import { isStatusCounted } from '#lib/contract/deliveries/counted-status.ts';
import type { Attempt, AttemptSummary } from '#lib/contract/deliveries/delivery.ts';
import { isSuccessful } from './is-successful.ts';

/** The result of an attempt in a word or two: `204`, `Timed out`, `Connection refused`. */
export function attemptResult(attempt: Pick<AttemptSummary, 'status_code' | 'error'>): {
  label: string;
  isSuccess: boolean;
} {
  const { status_code: code, error } = attempt;
  if (code !== null && isStatusCounted(error?.kind ?? null)) {
    return { label: String(code), isSuccess: isSuccessful(attempt) };
  }
  return { label: errorLabel(error?.kind), isSuccess: false };
}

/** A phase of an attempt. `ms` is null if it was not reached. */
export type AttemptPhase = {
  label: string;
  ms: number | null;
  part: 'queue' | 'response' | 'reading';
};

/** The phases of an attempt: waiting to start, waiting for the first byte, reading the response. */
export function attemptPhases(attempt: Attempt): AttemptPhase[] {
  const { waited_ms: waited, duration_ms: duration, first_byte_ms: firstByte } = attempt;
  return [
    { part: 'queue', label: 'Queued', ms: waited },
    {
      part: 'response',
      label: firstByte === null ? 'No response' : 'First byte of the response',
      ms: firstByte ?? duration,
    },
    {
      part: 'reading',
      label: 'Reading the response',
      ms: firstByte === null ? null : Math.max(0, duration - firstByte),
    },
  ];
}

/** A service that is newer than this page may know more kinds. */
function errorLabel(kind: string | undefined): string {
  const known: Partial<Record<string, { label: string }>> = attemptErrors;
  return known[kind ?? '']?.label ?? 'No response';
}
