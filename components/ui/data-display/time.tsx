'use client';

import { useRef, useState } from 'react';
import { cn } from '#lib/class-names/cn.ts';
import { minuteMs } from '#lib/durations.ts';
import {
  formatClockSeconds,
  formatDay,
  formatExact,
  formatExactSeconds,
  formatMoment,
  formatRelative,
  formatShort,
} from '#lib/time.ts';
import { Hint } from '../feedback/hint.tsx';
import { useEstimatedNow, useNow, useSeconds } from '../rendering/use-now.ts';

type TimeValue = {
  /** A timestamp from the API. */
  value: string;
  className?: string;
};

type RelativeTimeProps = TimeValue & {
  /** Starts with a lower-case letter: "Triggered just now". */
  isMidSentence?: boolean;
};

/** A relative time: "2 min ago". A press, hover or screen reader gives the exact time. */
export function RelativeTime({ value, isMidSentence = false, className }: RelativeTimeProps) {
  const now = useEstimatedNow();
  const zone = useNow() === null ? 'UTC' : undefined;
  const date = new Date(value);
  const text = formatRelative(date, now, zone);
  useSeconds(now.getTime() - date.getTime() < minuteMs);
  const anchor = useRef<HTMLButtonElement | null>(null);
  const [isOpen, setIsOpen] = useState(false);
  const hover = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);

  function leave() {
    clearTimeout(hover.current);
    if (document.activeElement !== anchor.current) setIsOpen(false);
  }

  return (
    <>
      <time
        dateTime={value}
        className={cn('whitespace-nowrap max-narrow:whitespace-normal', className)}
      >
        <button
          type="button"
          ref={anchor}
          aria-expanded={isOpen}
          onClick={() => setIsOpen(true)}
          onBlur={() => setIsOpen(false)}
          onPointerEnter={({ pointerType }) => {
            if (pointerType === 'touch') return;
            hover.current = setTimeout(() => setIsOpen(true), hoverMs);
          }}
          onPointerLeave={leave}
          className="relative cursor-default rounded-1 align-top text-inherit after:absolute after:-inset-x-1 after:-inset-y-0.5 pointer-coarse:after:-inset-y-3"
        >
          {/* Until the browser's clock is known, the server's text is shown. */}
          <span suppressHydrationWarning>
            {isMidSentence ? text.charAt(0).toLowerCase() + text.slice(1) : text}
          </span>
          <span className="sr-only" suppressHydrationWarning>
            , {formatExact(date, zone)}
          </span>
        </button>
      </time>
      <Hint anchor={anchor} open={isOpen} onClose={() => setIsOpen(false)}>
        {formatExactSeconds(date)}
      </Hint>
    </>
  );
}

const hoverMs = 300;

type ExactTimeProps = TimeValue & {
  /**
   * `full` "21 Nov 2026, 12:28 CET", `seconds` "21 Nov 2026, 12:28:04 CET", `short` "21 Nov,
   * 12:28", `moment` "21 Nov, 12:28:04", `clock` "12:28:04", `day` "21 Nov 2026".
   */
  form?: keyof typeof forms;
};

/** An exact time in the reader's time zone; in UTC until that is known. */
export function ExactTime({ value, form = 'full', className }: ExactTimeProps) {
  const zone = useNow() === null ? 'UTC' : undefined;
  const date = new Date(value);
  return (
    <time
      dateTime={value}
      title={form === 'full' || form === 'seconds' ? undefined : formatExactSeconds(date, zone)}
      suppressHydrationWarning
      className={cn('whitespace-nowrap max-narrow:whitespace-normal', className)}
    >
      {forms[form](date, zone)}
    </time>
  );
}

const forms = {
  full: formatExact,
  seconds: formatExactSeconds,
  short: formatShort,
  moment: formatMoment,
  clock: formatClockSeconds,
  day: formatDay,
};
