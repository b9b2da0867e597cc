/**
 * The moment a `Retry-After` header asks to wait for (RFC 9110, 10.2.3: seconds, or an HTTP date);
 * null if it says nothing that can be read.
 */
export function parseRetryAfter(value: string | undefined, now: Date): Date | null {
  const text = value?.trim() ?? '';
  if (/^\d{1,10}$/.test(text)) return new Date(now.getTime() + Number(text) * 1000);
  const date = httpDate.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? null : new Date(date);
}

/** The one form that may be sent: `Sun, 06 Nov 1994 08:49:37 GMT`. */
const httpDate = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;
