import { ApiError } from '../api/api-error.ts';

/** Each read costs a request. */
const REREAD_MS = 30_000;

/**
 * In how many milliseconds a page reads again what it shows, so that relative times and states stay
 * true. After a failure as well: its message goes once a read succeeds. False: never, since the
 * answer would be the same until the person does something, or because the frame's notice of an
 * outage or a rate limit tries again.
 */
export function rereadInterval({ state }: { state: { error: unknown } }): number | false {
  const { error } = state;
  if (!(error instanceof ApiError)) return REREAD_MS;
  if (error.code === 'UNAVAILABLE') return false;
  return error.status >= 400 && error.status < 500 ? false : REREAD_MS;
}
