import { SearchAndFilters } from '#components/shell/page/search-and-filters.tsx';
import { TimeFilter } from '#components/shell/search/time-window/time-filter.tsx';
import { hasWindow, type TimeWindow } from '#components/shell/search/time-window/time-window.ts';
import { SearchField } from '#components/ui/inputs/search-field.tsx';
import { Select } from '#components/ui/inputs/select/select.tsx';
import { auditActionGroups } from '#lib/contract/audit-log/audit-actions.ts';
import {
  actorKinds,
  auditSpanChoices,
  auditSpans,
  type AuditView,
  labelOfAction,
} from '../audit-view.ts';

type AuditFiltersProps = {
  view: AuditView;
  /** Ends of the time window in the URL that are not valid times. */
  unreadable: readonly (keyof TimeWindow)[];
  onChange: (change: Partial<AuditView>) => void;
  /** The people whom the filter offers by name. */
  members: readonly { id: string; name: string }[];
  /** The people who left the account. */
  former: readonly { id: string; name: string }[];
  /** The name of the actor in the URL, if that is not a member. */
  actorName: string | undefined;
};

/** The filters of the log: target, actor, action and time. */
export function AuditFilters(props: AuditFiltersProps) {
  const { view, unreadable, onChange } = props;
  return (
    <div
      role="search"
      aria-label="Audit entries"
      className="flex flex-wrap items-center gap-2 print:hidden"
    >
      <SearchAndFilters
        filterCount={countFilters(props)}
        search={
          <SearchField
            label="Search by target ID"
            placeholder="Full ID of a key, webhook or person"
            value={view.target}
            onChange={(target) => onChange({ target: target.slice(0, 100) })}
          />
        }
      >
        <Select
          label="Actor"
          options={actorOptions(props)}
          value={view.actor}
          onChange={(actor) => onChange({ actor })}
          className="max-w-56"
        />
        <Select
          label="Action"
          options={actionOptions(view.action)}
          value={view.action}
          onChange={(action) => onChange({ action })}
          className="max-w-64"
        />
        <TimeFilter spans={spans} view={view} unreadable={unreadable} onChange={onChange} />
      </SearchAndFilters>
    </div>
  );
}

function countFilters({ view, unreadable }: AuditFiltersProps): number {
  const hasTime = view.since !== 'any' || hasWindow(view) || unreadable.length > 0;
  return Number(view.actor !== '') + Number(view.action !== '') + Number(hasTime);
}

function actorOptions({ view, members, former, actorName }: AuditFiltersProps) {
  const chosen = view.actor;
  const options = [
    { value: '', label: 'Anyone' },
    ...Object.entries(actorKinds).map(([value, label]) => ({ value, label })),
    ...members.map(({ id, name }) => ({ value: id, label: name })),
    ...former.map(({ id, name }) => ({ value: id, label: `${name} (left)` })),
  ];
  if (options.some(({ value }) => value === chosen)) return options;
  return [...options, { value: chosen, label: actorName ?? 'One actor' }];
}

function actionOptions(chosen: string) {
  const options = [
    { value: '', label: 'Any' },
    ...Object.entries(auditActionGroups).map(([value, label]) => ({ value, label })),
  ];
  if (options.some(({ value }) => value === chosen)) return options;
  return [...options, { value: chosen, label: labelOfAction(chosen) }];
}

const spans = auditSpanChoices.map((value) => ({
  value,
  label: value === 'any' ? 'Any' : auditSpans[value].label,
}));
