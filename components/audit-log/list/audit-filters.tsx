import { X } from 'lucide-react';

import { Button } from '#components/ui/buttons/button.tsx';
import { SearchField } from '#components/ui/inputs/search-field.tsx';
import { Select } from '#components/ui/inputs/select.tsx';
import { useNow } from '#components/ui/rendering/use-now.ts';
import { auditActionGroups } from '#lib/contract/audit-actions.ts';
import { formatSpan, formatShort } from '#lib/time.ts';

import {
  actorKinds,
  auditSpanChoices,
  auditSpans,
  type AuditView,
  hasWindow,
  labelOfAction,
} from '../audit-view.ts';

type AuditFiltersProps = {
  view: AuditView;
  onChange: (change: Partial<AuditView>) => void;
  /** Whom the filter offers by name. */
  members: readonly { id: string; name: string }[];
  /** The name of the actor in the address, if it is no member. */
  actorName: string | undefined;
};

/** The filters of the log: what it was done to, by whom, what and when. */
export function AuditFilters({ view, onChange, members, actorName }: AuditFiltersProps) {
  return (
    <div
      role="search"
      aria-label="Audit entries"
      className="flex flex-wrap items-center gap-2 print:hidden"
    >
      <SearchField
        label="Search by target ID"
        placeholder="Search by target ID"
        value={view.target}
        onChange={(target) => onChange({ target: target.slice(0, 100) })}
        className="max-sm:w-full"
      />
      <Select
        label="Actor"
        options={actorOptions(view.actor, members, actorName)}
        value={view.actor}
        onChange={(actor) => onChange({ actor })}
        className="max-w-56 max-sm:flex-1"
      />
      <Select
        label="Action"
        options={actionOptions(view.action)}
        value={view.action}
        onChange={(action) => onChange({ action })}
        className="max-w-64 max-sm:flex-1"
      />
      {hasWindow(view) ? (
        <Window view={view} onChange={onChange} />
      ) : (
        <Select
          label="Time"
          options={SPANS}
          value={view.since}
          onChange={(since) => onChange({ since })}
          className="max-sm:flex-1"
        />
      )}
    </div>
  );
}

function actorOptions(
  chosen: string,
  members: AuditFiltersProps['members'],
  actorName: string | undefined,
) {
  const options = [
    { value: '', label: 'Anyone' },
    ...Object.entries(actorKinds).map(([value, label]) => ({ value, label })),
    ...members.map(({ id, name }) => ({ value: id, label: name })),
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

const SPANS = auditSpanChoices.map((value) => ({
  value,
  label: value === 'any' ? 'Any' : auditSpans[value].label,
}));

/** The window of time of a link, with a button to leave it. */
function Window({ view: { from, to }, onChange }: Pick<AuditFiltersProps, 'view' | 'onChange'>) {
  const zone = useNow() === null ? 'UTC' : undefined;
  return (
    <Button icon={<X />} onClick={() => onChange({ from: null, to: null })}>
      <span className="text-ink-2">
        <span className="sr-only">Remove the filter: </span>
        {describeWindow(from, to, zone)}
      </span>
    </Button>
  );
}

function describeWindow(from: Date | null, to: Date | null, zone: string | undefined): string {
  if (from !== null && to !== null) return formatSpan(from, to, zone);
  if (from !== null) return `Since ${formatShort(from, zone)}`;
  return to === null ? '' : `Before ${formatShort(to, zone)}`;
}
