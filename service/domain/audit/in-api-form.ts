import { formatApiTime } from '#lib/time.ts';

/** A value as the API writes it: a time as text, anything else as it is. */
export function inApiForm(value: unknown): unknown {
  return value instanceof Date ? formatApiTime(value) : value;
}
