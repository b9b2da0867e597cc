import type { ReactNode } from 'react';
import { Button } from '#components/ui/buttons/button.tsx';
import { RateLimitNotice } from './rate-limit-notice.tsx';
import { type Deadline, rateLimitReason, useSecondsLeft } from './rate-limit.ts';

type RetryPanelProps = {
  /** When the rate limit ends. Null: there is none. */
  deadline: Deadline | null;
  /** Shown with the countdown: the action that was not done. */
  waitingFor?: ReactNode;
  /** Shows the failure, with a button to try again. */
  children: ReactNode;
};

/** Shows the failure, with a button to try again, which waits until a rate limit has ended. */
export function RetryPanel({ deadline, waitingFor, children }: RetryPanelProps) {
  const secondsLeft = useSecondsLeft(deadline);
  return (
    <>
      <RateLimitNotice
        deadline={deadline}
        action={
          <Button focusesTitleOnRemoval disabledReason={rateLimitReason(secondsLeft)}>
            Try again
          </Button>
        }
      >
        {waitingFor}
      </RateLimitNotice>
      {secondsLeft === 0 && children}
    </>
  );
}
