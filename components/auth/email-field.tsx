import type { ReactNode } from 'react';
import { Field } from '#components/ui/inputs/form/field.tsx';
import { Input } from '#components/ui/inputs/input.tsx';

type EmailFieldProps = {
  help?: ReactNode;
  error: string | undefined;
  /** Whether it has the focus when the page opens. */
  hasFocus?: boolean;
  value: string;
  onChange: (value: string) => void;
};

/** The field for the email address with which a person signs in. */
export function EmailField({ hasFocus = false, value, onChange, ...field }: EmailFieldProps) {
  return (
    <Field label="Email" {...field}>
      <Input
        name="email"
        type="email"
        size="large"
        autoComplete="username"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        required
        autoFocus={hasFocus} // oxlint-disable-line jsx-a11y/no-autofocus -- signing in is all that the page is for
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </Field>
  );
}
