import { Field } from '#components/ui/inputs/form/field.tsx';
import { Input } from '#components/ui/inputs/input.tsx';

type NameFieldProps = {
  error: string | undefined;
  value: string;
  onChange: (value: string) => void;
};

export function NameField({ error, value, onChange }: NameFieldProps) {
  return (
    <Field label="Your name" error={error}>
      <Input
        name="name"
        size="large"
        autoComplete="name"
        required
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </Field>
  );
}
