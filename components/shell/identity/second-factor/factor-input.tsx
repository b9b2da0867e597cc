import type { Ref } from 'react';
import { Field } from '#components/ui/inputs/form/field.tsx';
import { Input } from '#components/ui/inputs/input.tsx';
import { noAutofillAttributes } from '../../one-time-secret/secret-attributes.ts';

type FactorInputProps = {
  kind: 'app' | 'recovery_code';
  value: string;
  onChange: (value: string) => void;
  error: string | undefined;
  size?: 'normal' | 'large';
  ref?: Ref<HTMLInputElement>;
};

/** The field for a code of the authenticator app, or for a recovery code. */
export function FactorInput({ kind, value, onChange, error, size, ref }: FactorInputProps) {
  if (kind === 'app') {
    return (
      <Field
        label="Code"
        help="The 6 digits that your authenticator app shows for this service."
        error={error}
      >
        <Input
          ref={ref}
          {...(size && { size })}
          name="code"
          mono
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={7}
          required
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      </Field>
    );
  }
  return (
    <Field
      label="Recovery code"
      help="One that you have not used yet. Each works once."
      error={error}
    >
      <Input
        {...noAutofillAttributes}
        ref={ref}
        {...(size && { size })}
        name="recovery_code"
        mono
        maxLength={60}
        required
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </Field>
  );
}

/** What is missing in a typed code; null: nothing. */
export function codeError(kind: 'app' | 'recovery_code', typed: string): string | null {
  if (kind === 'recovery_code') return typed.trim() === '' ? 'Enter a recovery code.' : null;
  return /^\d{6}$/.test(typed.replaceAll(/\s/g, ''))
    ? null
    : 'Enter the 6 digits that your authenticator app shows.';
}

/** Removes white space from a typed code, and names it as the API does. */
export function givenCode(kind: 'app' | 'recovery_code', typed: string) {
  return kind === 'app' ? { code: typed.replaceAll(/\s/g, '') } : { recovery_code: typed.trim() };
}
