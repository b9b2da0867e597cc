'use client';

import { Hourglass } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';

import { Banner } from '#components/ui/feedback/banner.tsx';
import type { ActionFailure } from '#lib/actions/action-result.ts';
import { formatCountdown, formatDuration } from '#lib/time.ts';

/** When a rate limit ends, as a Unix time in milliseconds. */
export type Deadline = number;

/**
 * Turns an answer's `retry_after` (seconds) into a deadline, so that the countdown stays right when
 * the computer sleeps or the tab is throttled. Without a `retry_after` it is a minute, the usual
 * window of limits.
 */
function deadlineAfter(retryAfterSeconds = 60): Deadline {
  return Date.now() + retryAfterSeconds * 1000;
}

/** When the rate limit that refused an action ends; null if it failed for another reason. */
export function rateLimitDeadline({ code, retryAfter }: ActionFailure): Deadline | null {
  return code === 'RATE_LIMIT_EXCEEDED' ? deadlineAfter(retryAfter) : null;
}

/** The deadline after which neither of two rate limits applies. */
export function laterDeadline(one: Deadline | null, other: Deadline | null): Deadline | null {
  if (one === null || other === null) return one ?? other;
  return Math.max(one, other);
}

/**
 * Whole seconds until the deadline; 0 once it has passed. Computed from the clock, not from timer
 * ticks.
 */
export function useSecondsLeft(deadline: Deadline | null): number {
  const [left, setLeft] = useState(() => secondsUntil(deadline));
  const [counted, setCounted] = useState(deadline);
  if (counted !== deadline) {
    setCounted(deadline);
    setLeft(secondsUntil(deadline));
  }
  useEffect(() => {
    if (deadline === null) return;
    const timer = setInterval(() => {
      const next = secondsUntil(deadline);
      setLeft(next);
      if (next === 0) clearInterval(timer);
    }, 250);
    return () => clearInterval(timer);
  }, [deadline]);
  return left;
}

/** For a button's `disabledReason`: a sentence while the rate limit lasts, then undefined. */
export function rateLimitReason(secondsLeft: number): string | undefined {
  if (secondsLeft === 0) return undefined;
  const wait = secondsLeft < 120 ? `${secondsLeft} s` : `${Math.ceil(secondsLeft / 60)} min`;
  return `Too many requests. Possible again in ${wait}.`;
}

export type RateLimitNoticeProps = {
  deadline: Deadline | null;
  /** Describes the limit: "600 requests a minute are allowed per person." */
  children?: ReactNode;
  /** Whether to add that the form's values are kept. */
  keepsInput?: boolean;
  /** A button, with its own `disabledReason`. */
  action?: ReactNode;
};

/**
 * Says how long the rate limit lasts. Screen readers announce it at the start, at 5 seconds and at
 * the end only. Nothing is retried automatically.
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
          {children} {keepsInput && 'What you typed is kept.'}
        </Banner>
      )}
    </>
  );
}

function Announcement({ deadline, left }: { deadline: Deadline | null; left: number }) {
  const [whole] = useState(left);
  if (deadline === null || whole === 0) return null;
  if (left === 0) return 'You can try again now.';
  if (left <= 5) return '5 seconds left.';
  return `Too many requests. Try again in ${whole < 120 ? `${whole} seconds` : formatDuration(whole)}.`;
}

function secondsUntil(deadline: Deadline | null): number {
  return deadline === null ? 0 : Math.max(0, Math.ceil((deadline - Date.now()) / 1000));
}
