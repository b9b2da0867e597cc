// Parts of the messages that are returned with a new token or signing secret.
import { formatApiTime, formatDuration } from '#lib/time.ts';

/** The first sentence of each of these messages (specification 4.3 and 4.4). */
export function saveNow(what: 'token' | 'secret'): string {
  return `Save this ${what} now; it will not be shown again.`;
}

/** How long an older token or secret is still good for: "for 24 hours, until …". */
export function termUntil(end: Date, now: Date): string {
  const seconds = Math.round((end.getTime() - now.getTime()) / 1000);
  return `for ${formatDuration(seconds)}, until ${formatApiTime(end)}`;
}
