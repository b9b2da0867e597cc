import { ApiError } from '../api/api-error.ts';

/** Each read costs a request. */
const pageRefetchMs = 30_000;

/** When a page reads its data again, in ms, so that its times stay true. False: never. */
export function pageRefetchInterval({ state }: { state: { error: unknown } }): number | false {
  return refetchDelay(state.error, pageRefetchMs);
}

/**
 * When a page reads its data again by itself. Never while a dialog is open: it may show a token or
 * a secret, and a refetch must not rerender what is below it.
 */
export function pageRefetchOptions({ isDialogOpen }: { isDialogOpen: boolean }) {
  return {
    refetchOnWindowFocus: !isDialogOpen,
    refetchOnReconnect: !isDialogOpen,
    refetchInterval: isDialogOpen ? (false as const) : pageRefetchInterval,
  };
}

/**
 * How long a page with live data waits before it reads the data again, in milliseconds.
 *
 * A failure makes it wait longer, because the error's message disappears once a read succeeds.
 * After an outage or a rate limit, the frame's notice retries sooner what the page shows; a failure
 * that nobody sees is retried once the rate limit is over. False after a refusal that lasts until
 * the person does something.
 *
 * @param error why the latest read failed
 * @param defaultMs the pause while reads succeed
 */
export function refetchDelay(error: unknown, defaultMs: number): number | false {
  if (error === null) return defaultMs;
  const slowMs = Math.max(defaultMs, pageRefetchMs);
  if (!(error instanceof ApiError)) return slowMs;
  if (error.code === 'UNAVAILABLE' || error.code === 'RATE_LIMIT_EXCEEDED') {
    return slowMs + (error.retryAfter ?? 0) * 1000;
  }
  return error.status >= 400 && error.status < 500 ? false : slowMs;
}
