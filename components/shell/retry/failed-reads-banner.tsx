'use client';

import { CloudOff, Hourglass } from 'lucide-react';

import { Banner } from '#components/ui/feedback/banner.tsx';
import { Button } from '#components/ui/buttons/button.tsx';
import { formatClock, formatCountdown } from '#lib/time.ts';

import { RequestId } from '../feedback/request-id.tsx';
import type { FailedReadsSummary } from './summarize-failed-reads.ts';

type FailedReadsBannerProps = {
  summary: FailedReadsSummary;
  secondsLeft: number;
  isReading: boolean;
  onTryNow: () => void;
};

/** Says what failed, and when it is tried again. */
export function FailedReadsBanner({
  summary: { title, isRateLimited, shownSince, requestId },
  secondsLeft,
  isReading,
  onTryNow,
}: FailedReadsBannerProps) {
  return (
    <Banner
      // `FailedReadsNotice` announces it.
      role="none"
      tone="warn"
      icon={isRateLimited ? <Hourglass /> : <CloudOff />}
      className="mb-6 print:hidden"
      title={title}
      action={
        // A rate limit refuses until its end.
        !isRateLimited && (
          <Button pending={isReading} onClick={onTryNow}>
            Try now
          </Button>
        )
      }
    >
      {isReading || secondsLeft === 0
        ? 'Trying again…'
        : `Trying again in ${formatCountdown(secondsLeft)}.`}
      {shownSince !== null && ` You see this page as of ${formatClock(new Date(shownSince))}.`}
      <RequestId id={requestId} />
    </Banner>
  );
}
