import { type SessionHours, sessionHours } from '#lib/contract/people/session-hours.ts';
import { countOf } from '#lib/count.ts';

/** After how long sessions can end, for a select. */
export const sessionLengths = sessionHours.map((hours) => ({
  value: String(hours),
  label: describeSessionHours(hours),
}));

/** "1 hour", "12 hours", "3 days". */
export function describeSessionHours(hours: SessionHours): string {
  if (hours > 24) return countOf(hours / 24, 'day');
  return countOf(hours, 'hour');
}
