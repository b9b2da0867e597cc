import { Hourglass } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Banner } from '#components/ui/feedback/banner.tsx';
import { countOf } from '#lib/count.ts';
import { formatCountdown, formatDuration } from '#lib/time.ts';
import { type Deadline, useSecondsLeft } from './rate-limit.ts';

type RateLimitNoticeProps = {
  deadline: Deadline | null;
  /** Describes the limit: "600 requests a minute are allowed per person." */
  children?: ReactNode;
  /** Whether to add that the form's values are kept. */
  keepsInput?: boolean;
  /** A button, with its own `disabledReason`. */
  action?: ReactNode;
};

/**
 * Explains how long the rate limit lasts. Screen readers announce it at the start, at 5 seconds and
 * at the end only. Nothing is retried automatically.
 */
export function RateLimitNotice({
  deadline,
  children,
  keepsInput = false,
  action,
}: RateLimitNoticeProps) {
  const left = useSecondsLeft(deadline);
  return (
    <>
      <span role="status" className="sr-only">
        <Announcement key={String(deadline)} deadline={deadline} left={left} />
      </span>
      {left > 0 && (
        <Banner
          role="none"
          tone="warn"
          icon={<Hourglass />}
          title={
            <>
              Too many requests. Try again in <span>{formatCountdown(left)}</span>
            </>
          }
          action={action}
        >
          {children} {keepsInput && 'Your input is kept.'}
        </Banner>
      )}
    </>
  );
}

function Announcement({ deadline, left }: { deadline: Deadline | null; left: number }) {
  const [whole] = useState(left);
  // The seconds left at the time of the announcement: fewer than 5 if the tab was asleep. The value
  // does not change afterwards, because screen readers announce each change.
  const [last, setLast] = useState<number | null>(null);
  if (last === null && left > 0 && left <= 5 && left < whole) setLast(left);
  if (deadline === null || whole === 0) return null;
  if (left === 0) return 'You can try again now.';
  if (last !== null) return `${inSeconds(last)} left.`;
  return `Too many requests. Try again in ${whole < 120 ? inSeconds(whole) : formatDuration(whole)}.`;
}

function inSeconds(count: number): string {
  return countOf(count, 'second');
}
