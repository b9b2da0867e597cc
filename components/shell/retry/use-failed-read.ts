'use client';

import { useEffect, useEffectEvent, useId } from 'react';

import type { ErrorCode } from '#lib/contract/error-codes.ts';

import { useReportFailedRead } from './failed-reads.tsx';

/** The usual window of limits, if an answer names none. */
const USUAL_RATE_LIMIT_SECONDS = 60;

type Failure = {
  /** Another one each time. */
  error: unknown;
  code: ErrorCode;
  /** For how many seconds a rate limit lasts. */
  retryAfter?: number | undefined;
  requestId?: string | undefined;
  /** When it failed, as a Unix time in milliseconds; now if left out. */
  failedAt?: number;
  /** When what is still shown was read, likewise. */
  shownSince?: number | undefined;
};

/** Has the frame say, as long as the component is mounted, that a read failed, and try it again. */
export function useFailedRead(
  { error, code, retryAfter, requestId, failedAt, shownSince }: Failure,
  readAgain: () => unknown,
): void {
  const id = useId();
  const report = useReportFailedRead();
  const rateLimitSeconds =
    code === 'RATE_LIMIT_EXCEEDED' ? (retryAfter ?? USUAL_RATE_LIMIT_SECONDS) : null;
  const onReadAgain = useEffectEvent(async () => await readAgain());
  useEffect(() => {
    report(id, {
      failedAt: failedAt ?? Date.now(),
      rateLimitSeconds,
      requestId,
      shownSince,
      readAgain: () => onReadAgain(),
    });
    return () => report(id, null);
  }, [report, id, error, failedAt, rateLimitSeconds, requestId, shownSince]);
}
