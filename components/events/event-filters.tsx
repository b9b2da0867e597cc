import { SearchAndFilters } from '#components/shell/page/search-and-filters.tsx';
import { TimeFilter } from '#components/shell/search/time-window/time-filter.tsx';
import { hasWindow } from '#components/shell/search/time-window/time-window.ts';
import { SearchField } from '#components/ui/inputs/search-field.tsx';
import { Select } from '#components/ui/inputs/select/select.tsx';
import { cn } from '#lib/class-names/cn.ts';
import type { EventType, TestEventType } from '#lib/contract/events/events.ts';
import { eventSpans, type EventView, outcomeChoices, spanChoices } from './event-view.ts';

type EventFiltersProps = {
  view: EventView;
  /** False while the search is an id or a time, which ignores the filters. */
  hasFilters: boolean;
  types: readonly (EventType | TestEventType)[];
  /** Whether the list is updated. */
  isLive: boolean;
  onChange: (change: Partial<EventView>) => void;
};

export function EventFilters({ view, hasFilters, types, isLive, onChange }: EventFiltersProps) {
  const isSet = [
    view.type !== 'any',
    view.outcome !== 'any',
    view.since !== 'any' || hasWindow(view),
  ];
  const search = (
    <SearchField
      isWide
      label="Find an event"
      placeholder="ID of an event, message, conversation or delivery; webhook-id; or a time"
      value={view.q}
      onChange={(q) => onChange({ q })}
    />
  );
  return (
    <div
      role="search"
      aria-label="Events"
      className="flex flex-wrap items-center gap-2 print:hidden"
    >
      {hasFilters ? (
        <SearchAndFilters filterCount={isSet.filter(Boolean).length} search={search}>
          <Select
            label="Type"
            options={['any' as const, ...types].map((value) => ({
              value,
              label: value === 'any' ? 'Any' : value,
            }))}
            value={view.type}
            onChange={(type) => onChange({ type })}
          />
          <Select
            label="Outcome"
            options={outcomeOptions}
            value={view.outcome}
            onChange={(outcome) => onChange({ outcome })}
          />
          <TimeFilter spans={spans} view={view} onChange={onChange} />
        </SearchAndFilters>
      ) : (
        search
      )}
      <p
        role="status"
        className="ml-2 flex items-center gap-2 text-small text-ink-2 max-sm:ml-auto"
      >
        <span
          aria-hidden
          className={cn('size-2 rounded-full', isLive ? 'bg-ok-mark' : 'bg-warn-mark')}
        />
        {isLive ? 'Live' : 'Not updating'}
      </p>
    </div>
  );
}

const outcomeLabels: Record<EventView['outcome'], string> = {
  any: 'Any',
  failed: 'Failed',
  pending: 'Pending',
  delivered: 'Delivered',
  cancelled: 'Cancelled',
  none: 'Sent to no webhook',
};

const outcomeOptions = outcomeChoices.map((value) => ({ value, label: outcomeLabels[value] }));

const spans = spanChoices.map((value) => ({
  value,
  label: value === 'any' ? 'Any' : eventSpans[value].label,
}));
