import { ThrottledFailures } from '../failures/throttled-failures.ts';

const failures = new ThrottledFailures();

/**
 * Tells the operator that the service cannot be reached, and which setting may be wrong. Each page
 * makes several calls, so this is logged once a minute.
 *
 * @param url whose origin is logged: the rest may contain a password
 */
export function reportUnreachable({ origin }: URL, reason: string): void {
  if (!failures.note(reason)) return;
  // oxlint-disable-next-line no-console -- the service writes the console to its log
  console.error(
    `The dashboard cannot reach the API at ${origin} (${reason}). Check that the API runs there, or correct API_BASE_URL.`,
  );
}

/** Tells the operator, once a minute as well, that the service responds that it cannot work now. */
export function reportUnavailable({ origin }: URL): void {
  if (!failures.note('unavailable')) return;
  // oxlint-disable-next-line no-console -- the service writes the console to its log
  console.error(`The API at ${origin} responded with 503, not available. Check its log.`);
}

/** Tells the operator that the service works again, if it was reported that it does not. */
export function reportReachable(): void {
  if (!failures.end()) return;
  // oxlint-disable-next-line no-console -- the service writes the console to its log
  console.info('The dashboard reaches the API again.');
}
