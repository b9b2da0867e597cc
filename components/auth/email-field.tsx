import type { ReactNode } from 'react';

import { Field } from '#components/ui/inputs/field.tsx';
import { Input } from '#components/ui/inputs/input.tsx';

type EmailFieldProps = { help?: ReactNode; error: string | undefined; onChange: () => void };

/** The field for the e-mail address with which a person signs in. */
export function EmailField({ onChange, ...field }: EmailFieldProps) {
  return (
    <Field label="E-mail" {...field}>
      <Input
        name="email"
        type="email"
        size="large"
        autoComplete="username"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        required
        onChange={onChange}
      />
    </Field>
  );
}
