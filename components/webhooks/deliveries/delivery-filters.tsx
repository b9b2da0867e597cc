import { SearchField } from '#components/ui/inputs/search-field.tsx';
import { Segmented } from '#components/ui/inputs/segmented.tsx';
import { Select } from '#components/ui/inputs/select.tsx';

import { useEventTypes } from '../event-types.tsx';
import { timeSpans } from '../time-spans.ts';
import { DeliveryWindow } from './delivery-window.tsx';
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
      <SearchField
        label="Search deliveries"
        placeholder="Search by ID or status code"
        value={view.q}
        onChange={(q) => onChange({ q })}
        className="max-sm:w-full"
      />
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
        <DeliveryWindow view={view} onChange={onChange} />
      ) : (
        <Select
          label="Time"
          options={SINCE_OPTIONS}
          value={view.since}
          onChange={(since) => onChange(since === 'custom' ? lastDay(new Date()) : { since })}
          className="max-sm:flex-1"
        />
      )}
    </div>
  );
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

const SINCE_OPTIONS = [
  ...sinceChoices.map((value) => ({
    value,
    label: value === 'any' ? 'Any' : timeSpans[value].last,
  })),
  { value: 'custom', label: 'Custom' } as const,
];

/** Where a window of one's own begins. */
function lastDay(now: Date): Pick<DeliveryView, 'from' | 'to'> {
  return { from: new Date(now.getTime() - timeSpans['24h'].milliseconds), to: null };
}
