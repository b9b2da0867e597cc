import { LastingFailures } from '../lasting-failures.ts';

const failures = new LastingFailures();

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

export function noteReached(): void {
  failures.end();
}
