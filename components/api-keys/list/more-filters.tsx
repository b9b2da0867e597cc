import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Field } from '#components/ui/inputs/form/field.tsx';
import { Input } from '#components/ui/inputs/input.tsx';
import { Select } from '#components/ui/inputs/select/select.tsx';
import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';
import { allScopes } from '#lib/contract/api-keys/scopes.ts';
import { keysOf } from '#lib/object-keys.ts';
import { routeQuery } from '#lib/queries/route-query.ts';
import {
  type Actor,
  actorsOf,
  type ApiKeyView,
  creationFilters,
  idOf,
  lastUseFilters,
} from './select-api-keys.ts';

type MoreFiltersProps = {
  accountId: string;
  apiKeys: readonly ApiKey[];
  view: ApiKeyView;
  /** Why the service refused the address; null if the person may not filter by it. */
  addressError: string | undefined | null;
  onChange: (part: Partial<ApiKeyView>) => void;
};

/** The filters below the toolbar: by use, creation, people, scope, and address. */
export function MoreFilters({
  accountId,
  apiKeys,
  view,
  addressError,
  onChange,
}: MoreFiltersProps) {
  const { creators, shown } = actorsOf(apiKeys);
  const { data: members } = useQuery(routeQuery(accountId, 'listMembers'));
  const { data: support } = useQuery(routeQuery(accountId, 'getInstallationSupport'));

  function named(actors: readonly Actor[]) {
    // Until both are read, nobody is said to have left.
    const staying = members &&
      support && [...members, ...(support.is_allowed ? support.people : [])];
    const hasLeft = ({ kind, id }: Actor) =>
      kind === 'person' && staying?.some((person) => person.id === id) === false;
    return [
      { value: '', label: 'Anyone' },
      ...actors.map((actor) => ({
        value: idOf(actor),
        label: `${actor.kind === 'api_key' ? 'API key ' : ''}${actor.name}${hasLeft(actor) ? ' (left)' : ''}`,
      })),
    ];
  }

  return (
    <div
      role="group"
      aria-label="More filters"
      className="mb-5 grid grid-cols-2 gap-4 max-sm:grid-cols-1 min-[60rem]:grid-cols-3"
    >
      <Field label="Last used">
        <Select
          options={labeled(lastUseFilters)}
          value={view.used}
          onChange={(used) => onChange({ used })}
        />
      </Field>
      <Field label="Created">
        <Select
          options={labeled(creationFilters)}
          value={view.created}
          onChange={(created) => onChange({ created })}
        />
      </Field>
      <Field label="Scope">
        <Select options={scopes} value={view.scope} onChange={(scope) => onChange({ scope })} />
      </Field>
      <Field label="Created by">
        <Select
          options={named(creators)}
          value={view.creator}
          onChange={(creator) => onChange({ creator })}
        />
      </Field>
      <Field label="Token shown to">
        <Select
          options={named(shown)}
          value={view.shown}
          onChange={(actor) => onChange({ shown: actor })}
        />
      </Field>
      {addressError !== null && (
        <AddressField
          address={view.address}
          error={addressError}
          onChange={(address) => onChange({ address })}
        />
      )}
    </div>
  );
}

const any = { value: 'any', label: 'Any' } as const;

const scopes = [any, ...allScopes.map((value) => ({ value, label: value }))];

function labeled<Value extends string>(filters: Readonly<Record<Value, { label: string }>>) {
  return [any, ...keysOf(filters).map((value) => ({ value, label: filters[value].label }))];
}

type AddressFieldProps = {
  address: string;
  error: string | undefined;
  onChange: (address: string) => void;
};

/** A partly typed address is invalid, so it is applied on blur or when Enter is pressed. */
function AddressField({ address, error, onChange }: AddressFieldProps) {
  const [typed, setTyped] = useState(address);
  const [applied, setApplied] = useState(address);
  if (applied !== address) {
    // The value in the URL takes precedence over what was typed.
    setApplied(address);
    setTyped(address);
  }
  function finish() {
    if (typed.trim() !== address) onChange(typed.trim());
  }
  return (
    <Field
      label="Used from"
      hint="Address or network"
      error={error}
      help="In the last 30 days. Press Enter to apply it."
    >
      <Input
        mono
        value={typed}
        placeholder="203.0.113.0/24"
        autoComplete="off"
        spellCheck={false}
        maxLength={64}
        onChange={(event) => setTyped(event.target.value)}
        onBlur={finish}
        onKeyDown={(event) => {
          if (event.key === 'Enter') finish();
        }}
      />
    </Field>
  );
}
