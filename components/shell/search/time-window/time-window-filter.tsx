import { X } from 'lucide-react';

import { Button } from '#components/ui/buttons/button.tsx';
import { lazyComponent } from '#components/ui/rendering/lazy-component.ts';
import { useNow } from '#components/ui/rendering/use-now.ts';

import { describeWindow, type TimeWindow } from './time-window.ts';

type TimeWindowFilterProps = {
  view: TimeWindow;
  /** Ends that the address of the page names, and that are no times. */
  unreadable?: readonly (keyof TimeWindow)[];
  onChange: (change: Partial<TimeWindow>) => void;
};

/**
 * The window of time that a list is narrowed to, with fields for its ends and a button to leave it.
 */
export function TimeWindowFilter({ view, unreadable = [], onChange }: TimeWindowFilterProps) {
  const zone = useNow() === null ? 'UTC' : undefined;
  return (
    <>
      <Button
        icon={<X />}
        onClick={() => onChange({ from: null, to: null })}
        className="max-sm:flex-1"
      >
        <span className="text-ink-2">
          <span className="sr-only">Remove the filter: </span>
          {describeWindow(view, zone)}
        </span>
      </Button>
      <Fields shouldLoad view={view} unreadable={unreadable} onChange={onChange} />
    </>
  );
}

const Fields = lazyComponent(
  async () => (await import('./time-window-fields.tsx')).TimeWindowFields,
);
