import { isStatusCounted } from '#lib/contract/deliveries/counted-status.ts';
import type { AttemptSummary } from '#lib/contract/deliveries/delivery.ts';

/** Whether an attempt delivered. Its status may count although there was an error. */
export function isSuccessful({
  status_code: code,
  error,
}: Pick<AttemptSummary, 'status_code' | 'error'>): boolean {
  return code !== null && isStatusCounted(error?.kind ?? null) && code >= 200 && code < 300;
}
