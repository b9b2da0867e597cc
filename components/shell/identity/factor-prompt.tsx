import { Field } from '#components/ui/inputs/form/field.tsx';
import type { FocusTarget } from '#components/ui/overlays/dialog.tsx';
import type { ActionFailure } from '#lib/actions/action-result.ts';
import type { NeededFactor } from '#lib/contract/people/second-factors.ts';
import { confirmIdentity, startPasskeyProof } from '#lib/actions/people/person.ts';
import { finishSignIn, startPasskeySignIn } from '#lib/actions/people/signing-in.ts';
import { PasswordInput } from './password-input.tsx';
import { factorTexts, PromptDialog } from './prompt-dialog.tsx';
import { FactorFields } from './second-factor/factor-fields.tsx';
import { OtherFactorKinds } from './second-factor/other-factor-kinds.tsx';
import { PasskeyElsewhere } from './second-factor/passkey-elsewhere.tsx';
import { usableKinds } from './second-factor/usable-kinds.ts';
import { useFactorForm } from './second-factor/use-factor-form.ts';

type FactorPromptProps = {
  /** `proof`: also asks for the password or a passkey. `sign-in`: the password was given. */
  kind: 'proof' | 'sign-in';
  needed: NeededFactor;
  email: string;
  onDone: () => void;
  onFailure: (failure: ActionFailure, show: (failure: ActionFailure) => void) => void;
  onCancel: () => void;
  finalFocus: FocusTarget;
};

/** Prompts the person for whom the page was rendered for their second factor. */
export function FactorPrompt({
  kind,
  needed,
  email,
  onDone,
  onFailure,
  onCancel,
  finalFocus,
}: FactorPromptProps) {
  const isProof = kind === 'proof';
  const kinds = usableKinds(needed, window.location.hostname);
  const form = useFactorForm({
    kinds,
    withPassword: isProof,
    send: (body) => (isProof ? confirmIdentity({ body }) : finishSignIn({ body })),
    startPasskey: isProof ? startPasskeyProof : startPasskeySignIn,
    onDone,
    onFailure,
    // In a transition, React would keep it pending until the action that waits for this prompt is
    // done.
    isInBackground: true,
  });
  const isPasskey = form.kind === 'passkey';
  const texts = factorTexts[kind];

  return (
    <PromptDialog
      texts={isPasskey ? { ...texts, button: 'Use passkey' } : texts}
      form={form}
      disabledReason={kinds.length === 0 ? 'No passkey works at this address.' : undefined}
      onCancel={onCancel}
      finalFocus={finalFocus}
    >
      {needed.kinds.includes('passkey') && !kinds.includes('passkey') && (
        <PasskeyElsewhere passkeyHost={needed.passkey_host} />
      )}
      {isProof && !isPasskey && (
        <>
          {/* Tells a password manager which account's password is needed. */}
          <input hidden readOnly name="email" autoComplete="username" value={email} />
          <Field label="Password" error={form.errors.password}>
            <PasswordInput
              name="password"
              autoComplete="current-password"
              required
              value={form.values.password}
              onChange={(event) => form.change({ password: event.target.value })}
            />
          </Field>
        </>
      )}
      <FactorFields form={form} />
      <OtherFactorKinds form={form} kinds={kinds} />
    </PromptDialog>
  );
}
