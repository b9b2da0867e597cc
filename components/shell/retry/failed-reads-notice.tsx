'use client';

import { useEffect, useEffectEvent, useState } from 'react';

import { isDialogOpen } from '#components/ui/overlays/is-dialog-open.ts';

import { useSecondsLeft } from '../feedback/rate-limit.ts';
import { useFailedReads, useReportFailedRead } from './failed-reads.tsx';
import { FailedReadsBanner } from './failed-reads-banner.tsx';
import { retryPageRequests } from './retry-page-requests.ts';
import { summarizeFailedReads } from './summarize-failed-reads.ts';

const tickMs = 250;

/**
 * Says once per page that the service can't be reached or refuses for a while, and tries again by
 * itself.
 */
export function FailedReadsNotice() {
  const report = useReportFailedRead();
  useEffect(() => retryPageRequests(report), [report]);
  const failedReads = useFailedReads();
  const summary = summarizeFailedReads(failedReads);
  const retryAt = summary?.retryAt ?? null;
  const secondsLeft = useSecondsLeft(retryAt);
  const [isReading, setIsReading] = useState(false);
  // Once for each deadline: a new failure sets another a moment after its read has ended.
  const [triedAt, setTriedAt] = useState<number | null>(null);

  async function readAgain() {
    setIsReading(true);
    setTriedAt(retryAt);
    await Promise.allSettled(failedReads.map((failed) => failed.readAgain()));
    setIsReading(false);
  }

  // While a dialog may show a secret, nothing must rerender what is below it.
  const [isHeldUp, setIsHeldUp] = useState(false);
  const onTick = useEffectEvent(() => {
    const isDue = retryAt !== null && Date.now() >= retryAt && triedAt !== retryAt && !isReading;
    const isHeld = isDue && isDialogOpen();
    setIsHeldUp(isHeld);
    if (isDue && !isHeld) void readAgain();
  });
  const hasFailed = retryAt !== null;
  useEffect(() => {
    if (!hasFailed) return;
    const timer = setInterval(() => onTick(), tickMs);
    return () => clearInterval(timer);
  }, [hasFailed]);

  return (
    <>
      {/* Spoken once, not with each second. */}
      <p role="status" className="sr-only">
        {summary && `${summary.title}. This page tries again by itself.`}
      </p>
      {summary && (
        <FailedReadsBanner
          summary={summary}
          secondsLeft={secondsLeft}
          isReading={isReading}
          isHeldUp={isHeldUp}
          onTryNow={() => void readAgain()}
        />
      )}
    </>
  );
}
