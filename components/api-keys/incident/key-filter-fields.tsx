'use client';

import { useState } from 'react';

import { Field } from '#components/ui/inputs/form/field.tsx';
import { Input } from '#components/ui/inputs/input.tsx';
import { Select } from '#components/ui/inputs/select/select.tsx';
import type { KeyCreator } from '#lib/contract/api-keys/incidents/incident-keys.ts';
import { countOf } from '#lib/count.ts';

import type { KeyFilterValues } from './key-filters.ts';

type KeyFilterFieldsProps = {
  values: KeyFilterValues;
  creators: readonly KeyCreator[];
  /** Why the service refused the address. */
  addressError: string | undefined;
  onChange: (part: Partial<KeyFilterValues>) => void;
};

/**
 * The filters by which keys are chosen: creator, days of creation, and an address they were used
 * from.
 */
export function KeyFilterFields({
  values,
  creators,
  addressError,
  onChange,
}: KeyFilterFieldsProps) {
  return (
    <div
      role="search"
      aria-label="Choose keys"
      className="grid grid-cols-[minmax(0,1fr)] gap-4 @min-[43.75rem]:grid-cols-2 @min-[62.5rem]:grid-cols-[1.3fr_1fr_1fr_1.3fr]"
    >
      <Field label="Created by">
        <Select
          options={[{ value: '', label: 'Anyone' }, ...creators.map(optionOf)]}
          value={values.creator}
          onChange={(creator) => onChange({ creator })}
        />
      </Field>
      <Field label="Created from" hint="In your time zone">
        <Input
          type="date"
          value={values.from}
          max={values.to || undefined}
          onChange={(event) => onChange({ from: event.target.value })}
        />
      </Field>
      <Field label="Created until" hint="In your time zone">
        <Input
          type="date"
          value={values.to}
          min={values.from || undefined}
          onChange={(event) => onChange({ to: event.target.value })}
        />
      </Field>
      <AddressField
        address={values.address}
        error={addressError}
        onChange={(address) => onChange({ address })}
      />
    </div>
  );
}

type AddressFieldProps = {
  address: string;
  error: string | undefined;
  onChange: (address: string) => void;
};

/**
 * A partly typed address is invalid, so it is applied when the field loses the focus or Enter is
 * pressed.
 */
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

function optionOf({ creator, name, kind, keys }: KeyCreator) {
  const who = kind === 'api_key' ? `API key ${name}` : name;
  return { value: creator, label: `${who} (${countOf(keys, 'key')})` };
}
