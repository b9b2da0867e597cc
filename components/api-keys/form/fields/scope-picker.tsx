import { useId } from 'react';
import { Checkbox } from '#components/ui/inputs/checkbox.tsx';
import { FieldGroup } from '#components/ui/inputs/form/field-group.tsx';
import { cn } from '#lib/class-names/cn.ts';
import { effectiveScopes, type Scope, scopeTable } from '#lib/contract/api-keys/scopes.ts';

type ScopePickerProps = {
  /** The scopes that this type of key can have. */
  offered: readonly Scope[];
  value: readonly Scope[];
  onChange: (value: Scope[]) => void;
  error: string | undefined;
};

/** A checkbox for each scope, in groups. Scopes that a ticked one implies cannot be unticked. */
export function ScopePicker({ offered, value, onChange, error }: ScopePickerProps) {
  const id = useId();
  const effective = effectiveScopes(value);
  const implied = new Map<string, string>(
    value.flatMap((scope) =>
      scopeTable[scope].implies.map((included) => [included, scopeTable[scope].label]),
    ),
  );
  const groups = Map.groupBy(offered, (scope) => scopeTable[scope].group);

  function toggle(scope: Scope, isTicked: boolean) {
    onChange(isTicked ? [...value, scope] : value.filter((other) => other !== scope));
  }

  return (
    <FieldGroup
      aria-invalid={error === undefined ? undefined : true}
      legend="Scopes"
      hint={`${effective.length} of ${offered.length}`}
      error={error}
      noteId={`${id}-note`}
    >
      <div
        className={cn(
          'divide-y divide-line rounded-3 border',
          error === undefined ? 'border-line-strong' : 'border-bad-mark',
        )}
      >
        {[...groups].map(([group, scopes], index) => (
          <div
            key={group}
            role="group"
            // The index, because a group's name has spaces, and this attribute separates ids by
            // spaces.
            aria-labelledby={`${id}-group-${index}`}
            className="px-3.5 py-2.5"
          >
            <p id={`${id}-group-${index}`} className="mb-1 text-micro font-medium text-ink-3">
              {group}
            </p>
            {scopes.map((scope) => (
              <Checkbox
                key={scope}
                name="scopes"
                value={scope}
                className="py-[5px] max-sm:py-0"
                label={scopeTable[scope].label}
                end={<span className="max-sm:hidden">{scope}</span>}
                checked={effective.includes(scope)}
                disabled={implied.has(scope)}
                description={
                  implied.has(scope) ? `Included in “${implied.get(scope)}”.` : undefined
                }
                onChange={(event) => toggle(scope, event.target.checked)}
              />
            ))}
          </div>
        ))}
      </div>
    </FieldGroup>
  );
}
