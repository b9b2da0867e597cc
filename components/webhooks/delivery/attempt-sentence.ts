import type { AttemptSummary } from '#lib/contract/deliveries/delivery.ts';

/** The result of an attempt as a sentence. */
export function attemptSentence({
  status_code: code,
  error,
}: Pick<AttemptSummary, 'status_code' | 'error'>): string {
  if (error !== null) return error.message;
  return code === null ? 'There was no response.' : `The receiver responded with ${code}.`;
}
