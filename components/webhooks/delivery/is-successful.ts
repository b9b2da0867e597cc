import type { AttemptSummary } from '#lib/contract/deliveries/deliveries.ts';

/** Whether an attempt delivered. If the response is too large, its status counts all the same. */
export function isSuccessful({
  status_code: code,
  error,
}: Pick<AttemptSummary, 'status_code' | 'error'>): boolean {
  const isAnswered = error === null || error.kind === 'response_too_large';
  return code !== null && isAnswered && code >= 200 && code < 300;
}
