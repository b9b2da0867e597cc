// Renders rarely. Compiled for memoization, the file would be larger.
'use no memo';

import { X } from 'lucide-react';
import { useRef } from 'react';
import { Button } from '#components/ui/buttons/button.tsx';
import { Select } from '#components/ui/inputs/select/select.tsx';
import { lazyComponent } from '#components/ui/rendering/lazy-component.ts';
import { useNow } from '#components/ui/rendering/use-now.ts';
import { dayMs } from '#lib/durations.ts';
import { describeWindow, hasWindow, type TimeWindow } from './time-window.ts';

type TimeFilterProps<Span extends string> = {
  /** The spans before now, and `any`. */
  spans: readonly { value: Span; label: string }[];
  /** The chosen span; it counts only without a window. */
  view: TimeWindow & { since: Span };
  /** Ends of the time window in the URL that are not valid times. */
  unreadable?: readonly (keyof TimeWindow)[];
  onChange: (change: Partial<TimeWindow & { since: Span }>) => void;
};

/** Narrows a list to a span of time before now, or to a window with fields for its ends. */
export function TimeFilter<Span extends string>(props: TimeFilterProps<Span>) {
  const { spans, view, unreadable = [], onChange } = props;
  const select = useRef<HTMLButtonElement>(null);
  const zone = useNow() === null ? 'UTC' : undefined;
  const isCustom = hasWindow(view) || unreadable.length > 0;

  function leaveWindow() {
    onChange(noWindow);
    // The pressed button is removed.
    select.current?.focus();
  }

  return (
    <>
      <Select
        ref={select}
        label="Time"
        options={[...spans, { value: 'custom', label: 'Custom' }]}
        value={isCustom ? 'custom' : view.since}
        onChange={(chosen) => {
          if (chosen !== 'custom') onChange({ ...noWindow, since: chosen });
          else if (!isCustom) onChange(lastDay(new Date()));
        }}
      />
      {isCustom && (
        <>
          <Button icon={<X />} onClick={leaveWindow} className="max-sm:flex-1">
            <span className="text-ink-2">
              <span className="sr-only">Remove the filter: </span>
              {describeWindow(view, zone)}
            </span>
          </Button>
          <Fields shouldLoad view={view} unreadable={unreadable} onChange={onChange} />
        </>
      )}
    </>
  );
}

const noWindow: TimeWindow = { from: null, to: null };

/** The window at first, before its fields are changed: from a day ago, without an end. */
function lastDay(now: Date): TimeWindow {
  return { from: new Date(now.getTime() - dayMs), to: null };
}

const Fields = lazyComponent(
  async () => (await import('./time-window-fields.tsx')).TimeWindowFields,
);
