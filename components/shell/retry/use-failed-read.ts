import { useEffect, useEffectEvent, useId } from 'react';
import type { ErrorCode } from '#lib/contract/error-codes.ts';
import { rateLimitSeconds } from '../feedback/rate-limit.ts';
import { useReportFailedRead } from './failed-reads.tsx';

type Failure = {
  /** A new object for each failure. */
  error: unknown;
  code: ErrorCode;
  /** For how many seconds a rate limit lasts. */
  retryAfter?: number | undefined;
  requestId?: string | undefined;
  /** When it failed, as a Unix time in milliseconds; now if left out. */
  failedAt?: number;
  /** When the data that is still shown was read, likewise. */
  shownSince?: number | undefined;
};

/** While the component is mounted, makes the frame say that a read failed and try it again. */
export function useFailedRead(
  { error, code, retryAfter, requestId, failedAt, shownSince }: Failure,
  readAgain: () => unknown,
): void {
  const id = useId();
  const report = useReportFailedRead();
  const waitSeconds = rateLimitSeconds({ code, retryAfter });
  const onReadAgain = useEffectEvent(async () => await readAgain());
  useEffect(() => {
    report(id, {
      failedAt: failedAt ?? Date.now(),
      rateLimitSeconds: waitSeconds,
      requestId,
      shownSince,
      readAgain: () => onReadAgain(),
    });
    return () => report(id, null);
  }, [report, id, error, failedAt, waitSeconds, requestId, shownSince]);
}
