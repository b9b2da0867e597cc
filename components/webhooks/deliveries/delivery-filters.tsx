// Without React Compiler: every page renders this once and rarely again, and the file stays
// smaller.
'use no memo';

import { type ReactNode, useState } from 'react';

import { FilterButton } from '#components/shell/page/filter-button.tsx';
import { TimeFilter } from '#components/shell/search/time-window/time-filter.tsx';
import { hasWindow } from '#components/shell/search/time-window/time-window.ts';
import { SearchField } from '#components/ui/inputs/search-field.tsx';
import { type Segment, Segmented } from '#components/ui/inputs/segmented.tsx';
import { Select } from '#components/ui/inputs/select/select.tsx';
import type { DeliveryTotals } from '#lib/contract/deliveries/delivery-totals.ts';
import { cn } from '#lib/class-names/cn.ts';
import { formatCount } from '#lib/count.ts';

import { useEventTypes } from '../event-types.tsx';
import { timeSpans } from '../time-spans.ts';
import {
  type DeliveryView,
  eventChoicesOf,
  isNarrowed,
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

/**
 * The filters of the delivery table: the status and a button, then the others. On a phone, a button
 * beside the search shows and hides the last of them.
 */
export function DeliveryFilters({ view, onChange, totals, isShown, action }: DeliveryFiltersProps) {
  const eventChoices = eventChoicesOf(useEventTypes());
  const filterCount = countFilters(view);
  // Null until the button was pressed.
  const [wasShown, setAreShown] = useState<boolean | null>(null);
  const areShown = wasShown ?? filterCount > 0;
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
          <SearchField
            label="Search deliveries"
            placeholder="Search by ID or status code"
            value={view.q}
            onChange={(q) => onChange({ q })}
            className="max-sm:w-auto max-sm:min-w-0 max-sm:flex-[1_1_calc(100%-3.5rem)]"
          />
          <FilterButton
            filterCount={filterCount}
            isShown={areShown}
            onPress={() => setAreShown(!areShown)}
          />
          <div className={cn('contents', !areShown && 'max-sm:hidden')}>
            <Select
              label="Event"
              options={eventChoices.map(toEventOption)}
              value={view.event}
              onChange={(event) => onChange({ event })}
              className="max-sm:flex-1"
            />
            <TimeFilter spans={spans} view={view} onChange={onChange} />
          </div>
        </div>
      )}
    </div>
  );
}

/** The filters by event and time that are set. */
function countFilters(view: DeliveryView): number {
  return Number(view.event !== 'any') + Number(view.since !== 'any' || hasWindow(view));
}

const statusLabels: Record<DeliveryView['status'], string> = {
  any: 'All',
  pending: 'Pending',
  delivered: 'Delivered',
  retried: 'Retried',
  failed: 'Failed',
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

const spans = sinceChoices.map((value) => ({
  value,
  label: value === 'any' ? 'Any' : timeSpans[value].last,
}));
