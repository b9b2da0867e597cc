'use client';
// Renders rarely. Compiled for memoization, the file would be larger.
'use no memo';

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
  /** It is time to try again, but a dialog is open. */
  isHeldUp: boolean;
  onTryNow: () => void;
};

/** Says what failed, and when it is tried again. */
export function FailedReadsBanner({
  summary: { title, isRateLimited, shownSince, requestId },
  secondsLeft,
  isReading,
  isHeldUp,
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
          <Button focusesTitleOnRemoval pending={isReading} onClick={onTryNow}>
            Try now
          </Button>
        )
      }
    >
      {whenTriedAgain({ secondsLeft, isReading, isHeldUp })}
      {shownSince !== null && ` You see this page as of ${formatClock(new Date(shownSince))}.`}
      <RequestId id={requestId} />
    </Banner>
  );
}

function whenTriedAgain({
  secondsLeft,
  isReading,
  isHeldUp,
}: Pick<FailedReadsBannerProps, 'secondsLeft' | 'isReading' | 'isHeldUp'>): string {
  if (isHeldUp) return 'Tries again once the dialog is closed.';
  if (isReading || secondsLeft === 0) return 'Trying again…';
  return `Trying again in ${formatCountdown(secondsLeft)}.`;
}
