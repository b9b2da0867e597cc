import { PasswordInput } from '#components/shell/identity/password-input.tsx';
import { minPasswordLength, PasswordLength } from '#components/shell/identity/password-length.tsx';
import { Field } from '#components/ui/inputs/form/field.tsx';

type NewPasswordFieldProps = {
  label?: string;
  error: string | undefined;
  value: string;
  onChange: (value: string) => void;
};

/** The field for a password that is chosen now. */
export function NewPasswordField({
  label = 'Password',
  error,
  value,
  onChange,
}: NewPasswordFieldProps) {
  return (
    <Field label={label} help={<PasswordLength length={value.length} />} error={error}>
      <PasswordInput
        name="new_password"
        size="large"
        autoComplete="new-password"
        required
        minLength={minPasswordLength}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </Field>
  );
}
