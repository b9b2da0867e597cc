'use client';

import { Button } from '#components/ui/buttons/button.tsx';
import { Field } from '#components/ui/inputs/form/field.tsx';
import { Input } from '#components/ui/inputs/input.tsx';

type RevocationReasonProps = {
  value: string;
  onChange: (value: string) => void;
  error: string | undefined;
};

/** The field for the reason of a revocation, with buttons for common reasons. */
export function RevocationReason({ value, onChange, error }: RevocationReasonProps) {
  return (
    <div>
      <Field
        label="Reason"
        optional
        help="Your team sees it beside the key and in the audit log."
        error={error}
      >
        <Input
          value={value}
          maxLength={maxLength}
          autoComplete="off"
          onChange={(event) => onChange(event.target.value)}
        />
      </Field>
      <div role="group" aria-label="Common reasons" className="mt-2 flex flex-wrap gap-1.5">
        {commonReasons.map((reason) => (
          <Button
            key={reason}
            size="small"
            aria-pressed={value === reason}
            className="aria-pressed:bg-fill-active"
            onClick={() => onChange(reason)}
          >
            {reason}
          </Button>
        ))}
      </div>
    </div>
  );
}

const maxLength = 200;

export const leaked = 'Leaked';

const commonReasons = [leaked, 'No longer used', 'Replaced'];
