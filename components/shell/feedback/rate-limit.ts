import { useEffect, useState } from 'react';
import type { ActionFailure } from '#lib/actions/action-result.ts';

/** When a rate limit ends, as a Unix time in milliseconds. */
export type Deadline = number;

type Refusal = Pick<ActionFailure, 'code' | 'retryAfter'>;

/**
 * For how long a rate limit that refused a call lasts; null if the call failed for another reason.
 * Without a `retry_after` it is a minute, the usual window of limits.
 */
export function rateLimitSeconds({ code, retryAfter = 60 }: Refusal): number | null {
  return code === 'RATE_LIMIT_EXCEEDED' ? retryAfter : null;
}

/** When that rate limit ends. A deadline stays right when the computer sleeps. */
export function rateLimitDeadline(refusal: Refusal): Deadline | null {
  const seconds = rateLimitSeconds(refusal);
  return seconds === null ? null : Date.now() + seconds * 1000;
}

/** The deadline after which neither of two rate limits applies. */
export function laterDeadline(one: Deadline | null, other: Deadline | null): Deadline | null {
  if (one === null || other === null) return one ?? other;
  return Math.max(one, other);
}

/** Whole seconds until the deadline; 0 once it has passed. By the clock, not by timer ticks. */
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
  return `Too many requests. Try again in ${wait}.`;
}

function secondsUntil(deadline: Deadline | null): number {
  return deadline === null ? 0 : Math.max(0, Math.ceil((deadline - Date.now()) / 1000));
}
