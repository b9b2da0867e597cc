/**
 * The time that a `Retry-After` header names (RFC 9110, 10.2.3: seconds, or an HTTP date); null if
 * the header is missing or invalid.
 */
export function parseRetryAfter(value: string | undefined, now: Date): Date | null {
  const text = value?.trim() ?? '';
  if (/^\d{1,10}$/.test(text)) return new Date(now.getTime() + Number(text) * 1000);
  const date = httpDate.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? null : new Date(date);
}

/** The only form that senders may use: `Sun, 06 Nov 1994 08:49:37 GMT`. */
const httpDate = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;
