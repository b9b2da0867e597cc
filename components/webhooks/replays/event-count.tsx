import { Send } from 'lucide-react';

import { Spinner } from '#components/ui/feedback/spinner.tsx';

import { CountFailure } from '../count-failure.tsx';
import { describeCount, describeKinds } from './describe-replay.ts';
import type { ReplayCount } from './use-replay-count.ts';

type EventCountProps = {
  count: ReplayCount;
  /** A rate limit applies, which `RateLimitNotice` says. */
  isWaiting: boolean;
  onCountAgain: () => void;
};

/**
 * How many events a replay would send. Screen readers announce the result, but not the counting.
 */
export function EventCount({ count, isWaiting, onCountAgain }: EventCountProps) {
  const isShown = count.state === 'counting' || count.state === 'counted';
  return (
    <>
      <div className={isShown ? 'grid gap-1' : 'contents'}>
        <div className={isShown ? 'flex items-center gap-2.5' : 'sr-only'}>
          <span aria-hidden className="text-ink-3 [&>svg]:icon-16">
            {count.state === 'counting' ? <Spinner /> : <Send />}
          </span>
          {count.state === 'counting' && (
            <span aria-hidden className="text-ink-3">
              Counting the events
            </span>
          )}
          <p role="status" className="font-medium tabular-nums">
            {count.state === 'counted' && describeCount(count.size.count)}
          </p>
        </div>
        {count.state === 'counted' && (
          <p className="text-small text-pretty text-ink-2 tabular-nums">
            {describeKinds(count.size)}
          </p>
        )}
      </div>
      {count.state === 'failed' && !isWaiting && (
        <CountFailure
          title="The events could not be counted"
          failure={count.failure}
          onCountAgain={onCountAgain}
        />
      )}
    </>
  );
}
