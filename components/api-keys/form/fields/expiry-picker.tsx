'use client';

import { useId } from 'react';

import { Field, FieldNote } from '#components/ui/inputs/form/field.tsx';
import { Input } from '#components/ui/inputs/input.tsx';
import { Segmented } from '#components/ui/inputs/segmented.tsx';
import { ExactTime } from '#components/ui/data-display/time.tsx';

import { expiryChoicesFor, type Expiry, expiresAt, localDateInDays } from './expiry.ts';

type ExpiryPickerProps = {
  value: Expiry;
  onChange: (value: Expiry) => void;
  now: Date;
  error: string | undefined;
};

export function ExpiryPicker({ value, onChange, now, error }: ExpiryPickerProps) {
  const id = useId();
  const end = expiresAt(value, now);
  return (
    <div>
      <Segmented
        legend="Expires"
        fit
        segments={expiryChoicesFor(value)}
        value={value.choice}
        onChange={(choice) =>
          onChange({
            ...value,
            choice,
            date: value.date === '' ? localDateInDays(now, 90) : value.date,
          })
        }
        // The error says the same as the help for a missing or past date.
        help={error === undefined ? <ExpiryHelp end={end} /> : undefined}
      />
      {value.choice === 'date' && (
        <Field label="Date and time" className="mt-3 max-w-72" error={error}>
          <Input
            type="datetime-local"
            value={value.date}
            min={localDateInDays(now, 0)}
            onChange={(event) => onChange({ ...value, date: event.target.value })}
          />
        </Field>
      )}
      {value.choice !== 'date' && <FieldNote id={`${id}-note`} error={error} />}
    </div>
  );
}

function ExpiryHelp({ end }: { end: Date | null | undefined }) {
  if (end === null) return 'It never expires.';
  if (end === undefined) return 'Choose a date and time in the future.';
  return (
    <>
      On <ExactTime value={end.toISOString()} />. After that, calls with it are rejected with 401.
    </>
  );
}
