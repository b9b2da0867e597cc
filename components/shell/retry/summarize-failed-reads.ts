import type { FailedRead } from './failed-reads.tsx';

export type FailedReadsSummary = {
  /** A sentence without its full stop. */
  title: string;
  isRateLimited: boolean;
  /** When to try again, as a Unix time in milliseconds. */
  retryAt: number;
  /** When the oldest data that is still shown was read. Null: nothing is shown. */
  shownSince: number | null;
  requestId: string | undefined;
};

/** A restart takes a few seconds. */
const outageRetryMs = 5000;

export function summarizeFailedReads(
  failedReads: readonly FailedRead[],
): FailedReadsSummary | null {
  const [first] = failedReads;
  if (first === undefined) return null;
  const isRateLimited = failedReads.some(({ rateLimitSeconds }) => rateLimitSeconds !== null);
  const shownSince = failedReads.flatMap((one) => one.shownSince ?? []);
  return {
    title: isRateLimited ? 'Too many requests' : 'The service cannot be reached',
    isRateLimited,
    // All together, and none before its rate limit has ended.
    retryAt: Math.max(...failedReads.map(retryAtOf)),
    shownSince: shownSince.length === 0 ? null : Math.min(...shownSince),
    requestId: first.requestId,
  };
}

function retryAtOf({ failedAt, rateLimitSeconds }: FailedRead): number {
  return failedAt + (rateLimitSeconds === null ? outageRetryMs : rateLimitSeconds * 1000);
}
