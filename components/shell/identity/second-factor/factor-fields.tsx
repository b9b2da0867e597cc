import { Fingerprint } from 'lucide-react';
import { useEffect, useEffectEvent } from 'react';
import { FieldNote } from '#components/ui/inputs/form/field.tsx';
import { Note } from '#components/ui/feedback/note.tsx';
import { FactorInput } from './factor-input.tsx';
import type { useFactorForm } from './use-factor-form.ts';

type FactorFieldsProps = {
  form: ReturnType<typeof useFactorForm>;
  size?: 'normal' | 'large';
};

/** The fields for the chosen way to give a second factor. */
export function FactorFields({ form, size }: FactorFieldsProps) {
  const { kind, values, errors, attributes } = form;
  // The pressed control is gone, so the focus moves to the control that replaces it.
  const focusNext = useEffectEvent(() => {
    const next = 'input:not([hidden]):not(:disabled), button[type=submit]';
    attributes.form.current?.querySelector<HTMLElement>(next)?.focus();
  });
  useEffect(() => focusNext(), [kind]);
  return (
    <>
      {kind === 'passkey' ? (
        <div>
          <Note icon={<Fingerprint />}>
            Your browser prompts you for your fingerprint, face, PIN or security key.
          </Note>
          <FieldNote id="passkey-error" error={errors.passkey} />
        </div>
      ) : (
        <FactorInput
          key={kind}
          kind={kind}
          {...(size && { size })}
          value={values[kind === 'app' ? 'code' : kind]}
          error={errors[kind === 'app' ? 'code' : kind]}
          onChange={(value) => form.change({ [kind === 'app' ? 'code' : kind]: value })}
        />
      )}
    </>
  );
}
