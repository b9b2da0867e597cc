import { X } from 'lucide-react';

import { Button } from '#components/ui/buttons/button.tsx';
import { Segmented } from '#components/ui/inputs/segmented.tsx';
import { Select } from '#components/ui/inputs/select.tsx';
import { useNow } from '#components/ui/rendering/use-now.ts';
import { formatShort, formatSpan } from '#lib/time.ts';

import { useEventTypes } from '../event-types.tsx';
import { timeSpans } from '../time-spans.ts';
import {
  type DeliveryView,
  eventChoicesOf,
  hasWindow,
  sinceChoices,
  statusChoices,
} from './delivery-view.ts';

type DeliveryFiltersProps = {
  view: DeliveryView;
  onChange: (change: Partial<DeliveryView>) => void;
};

/** The filters of the delivery table. */
export function DeliveryFilters({ view, onChange }: DeliveryFiltersProps) {
  const eventChoices = eventChoicesOf(useEventTypes());
  return (
    <div
      role="search"
      aria-label="Deliveries"
      className="flex flex-wrap items-center gap-2 print:hidden"
    >
      <Segmented
        legend="Status"
        isLegendHidden
        fit
        className="max-sm:w-full"
        segments={STATUS_SEGMENTS}
        value={view.status}
        onChange={(status) => onChange({ status })}
      />
      <Select
        label="Event"
        options={eventChoices.map(toEventOption)}
        value={view.event}
        onChange={(event) => onChange({ event })}
        className="max-sm:flex-1"
      />
      {hasWindow(view) ? (
        <WindowFilter view={view} onClear={() => onChange({ from: null, to: null })} />
      ) : (
        <Select
          label="Since"
          options={SINCE_OPTIONS}
          value={view.since}
          onChange={(since) => onChange({ since })}
          className="max-sm:flex-1"
        />
      )}
    </div>
  );
}

type WindowFilterProps = { view: DeliveryView; onClear: () => void };

/** The window of time that a bar of the chart led to, with a button to leave it. */
function WindowFilter({ view: { from, to }, onClear }: WindowFilterProps) {
  const zone = useNow() === null ? 'UTC' : undefined;
  return (
    <Button icon={<X />} onClick={onClear} className="max-sm:flex-1">
      <span className="text-ink-2">
        <span className="sr-only">Remove the filter: </span>
        {describeWindow({ from, to }, zone)}
      </span>
    </Button>
  );
}

function describeWindow(
  { from, to }: Pick<DeliveryView, 'from' | 'to'>,
  zone: string | undefined,
): string {
  if (from !== null && to !== null) return formatSpan(from, to, zone);
  if (from !== null) return `Since ${formatShort(from, zone)}`;
  return to === null ? '' : `Before ${formatShort(to, zone)}`;
}

const STATUS_LABELS: Record<DeliveryView['status'], string> = {
  any: 'All',
  pending: 'Pending',
  delivered: 'Delivered',
  retried: 'Retried',
  failed: 'Failed',
};

const STATUS_SEGMENTS = statusChoices.map((value) => ({ value, label: STATUS_LABELS[value] }));

function toEventOption(value: DeliveryView['event']) {
  return { value, label: value === 'any' ? 'Any' : value };
}

const SINCE_OPTIONS = sinceChoices.map((value) => ({
  value,
  label: value === 'any' ? 'Always' : timeSpans[value].ago,
}));
