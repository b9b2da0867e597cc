// Renders rarely. Compiled for memoization, the file would be larger.
'use no memo';

import type { ReactNode } from 'react';
import { SearchAndFilters } from '#components/shell/page/search-and-filters.tsx';
import { TimeFilter } from '#components/shell/search/time-window/time-filter.tsx';
import { hasWindow } from '#components/shell/search/time-window/time-window.ts';
import { SearchField } from '#components/ui/inputs/search-field.tsx';
import { type Segment, Segmented } from '#components/ui/inputs/segmented.tsx';
import { Select } from '#components/ui/inputs/select/select.tsx';
import type { DeliveryTotals } from '#lib/contract/deliveries/delivery-totals.ts';
import { formatCount } from '#lib/count.ts';
import { useEventTypes } from '../event-types.tsx';
import { timeSpans } from '../time-spans.ts';
import {
  type DeliveryView,
  eventChoicesOf,
  isNarrowed,
  replayedChoices,
  sinceChoices,
  statusChoices,
} from './delivery-view.ts';

type DeliveryFiltersProps = {
  view: DeliveryView;
  onChange: (change: Partial<DeliveryView>) => void;
  /** How many deliveries there are; undefined until they are counted. */
  totals: DeliveryTotals | undefined;
  /** False if there is nothing to filter. */
  isShown: boolean;
  /** A button on the first line. */
  action: ReactNode;
};

/** The filters of the delivery table: the status and a button, then the others. */
export function DeliveryFilters({ view, onChange, totals, isShown, action }: DeliveryFiltersProps) {
  const eventChoices = eventChoicesOf(useEventTypes());
  return (
    <div
      role="search"
      aria-label="Deliveries"
      className="flex flex-wrap items-center gap-2 print:hidden"
    >
      {isShown && (
        <Segmented
          legend="Status"
          isLegendHidden
          fit
          className="max-sm:w-full"
          segments={segmentsOf(isNarrowed(view) ? undefined : totals)}
          value={view.status}
          onChange={(status) => onChange({ status })}
        />
      )}
      {action && <div className="ml-auto max-sm:w-full max-sm:*:w-full">{action}</div>}
      {isShown && (
        <div className="flex min-w-0 basis-full flex-wrap items-center gap-2">
          <SearchAndFilters
            filterCount={countFilters(view)}
            search={
              <SearchField
                label="Search deliveries"
                placeholder="ID of a delivery, message or conversation, or status code"
                value={view.q}
                onChange={(q) => onChange({ q })}
              />
            }
          >
            <Select
              label="Event"
              options={eventChoices.map(toEventOption)}
              value={view.event}
              onChange={(event) => onChange({ event })}
            />
            <Select
              label="Replayed"
              options={replayedOptions}
              value={view.replayed}
              onChange={(replayed) => onChange({ replayed })}
            />
            <TimeFilter spans={spans} view={view} onChange={onChange} />
          </SearchAndFilters>
        </div>
      )}
    </div>
  );
}

function countFilters(view: DeliveryView): number {
  const isSet = [
    view.event !== 'any',
    view.replayed !== 'any',
    view.since !== 'any' || hasWindow(view),
  ];
  return isSet.filter(Boolean).length;
}

const statusLabels: Record<DeliveryView['status'], string> = {
  any: 'All',
  pending: 'Pending',
  delivered: 'Delivered',
  retried: 'Retried',
  failed: 'Failed',
  cancelled: 'Cancelled',
};

/** With the number of deliveries of each status, regardless of the other filters. */
function segmentsOf(totals: DeliveryTotals | undefined): Segment<DeliveryView['status']>[] {
  return statusChoices.map((value) => ({
    value,
    label: statusLabels[value],
    count: totals && describeTotal(totals[value === 'any' ? 'all' : value]),
  }));
}

/** `12`, or `1,000+`. */
function describeTotal({ count, has_more: hasMore }: DeliveryTotals['all']): string {
  return `${formatCount(count)}${hasMore ? '+' : ''}`;
}

function toEventOption(value: DeliveryView['event']) {
  return { value, label: value === 'any' ? 'Any' : value };
}

const replayedLabels: Record<DeliveryView['replayed'], string> = {
  any: 'Any',
  yes: 'By a replay',
  no: 'Not by a replay',
};

const replayedOptions = replayedChoices.map((value) => ({ value, label: replayedLabels[value] }));

const spans = sinceChoices.map((value) => ({
  value,
  label: value === 'any' ? 'Any' : timeSpans[value].last,
}));
