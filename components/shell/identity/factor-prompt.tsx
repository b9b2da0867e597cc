'use client';

import { useId } from 'react';

import { Field } from '#components/ui/inputs/form/field.tsx';
import type { FocusTarget } from '#components/ui/overlays/dialog.tsx';
import type { ActionFailure } from '#lib/actions/action-result.ts';
import type { NeededFactor } from '#lib/actions/people/session.ts';
import { confirmIdentity, finishSignIn, startPasskeySignIn } from '#lib/actions/people/session.ts';
import { startPasskeyProof } from '#lib/actions/people/second-factors.ts';

import { ActionDialog } from '../actions/action-dialog.tsx';
import { DialogForm } from '../actions/dialog-form.tsx';
import { ActionFailurePanel } from '../feedback/action-failure-panel.tsx';
import type { PromptTexts } from './prompt-texts.ts';
import { PasswordInput } from './password-input.tsx';
import { FactorFields } from './second-factor/factor-fields.tsx';
import { PasskeyElsewhere } from './second-factor/passkey-elsewhere.tsx';
import { usableKinds } from './second-factor/usable-kinds.ts';
import { useFactorForm } from './second-factor/use-factor-form.ts';

type FactorPromptProps = {
  /**
   * `proof`: the prompt also asks for the password or a passkey. `sign-in`: the password was given
   * already.
   */
  kind: 'proof' | 'sign-in';
  texts: PromptTexts;
  needed: NeededFactor;
  email: string;
  onDone: () => void;
  onFailure: (failure: ActionFailure, show: (failure: ActionFailure) => void) => void;
  onCancel: () => void;
  finalFocus: FocusTarget;
};

/** Asks the person for whom the page was rendered for their second factor. */
export function FactorPrompt({
  kind,
  texts,
  needed,
  email,
  onDone,
  onFailure,
  onCancel,
  finalFocus,
}: FactorPromptProps) {
  const formId = useId();
  const isProof = kind === 'proof';
  const kinds = usableKinds(needed, window.location.hostname);
  const form = useFactorForm({
    kinds,
    withPassword: isProof,
    send: isProof ? confirmIdentity : finishSignIn,
    startPasskey: isProof ? startPasskeyProof : startPasskeySignIn,
    onDone,
    onFailure,
    // In a transition, React would keep it pending until the action that waits for this prompt is
    // done.
    isInBackground: true,
  });
  const { failure } = form;
  const isPasskey = form.kind === 'passkey';

  return (
    <ActionDialog
      title={texts.title}
      confirmLabel={isPasskey ? 'Use passkey' : texts.button}
      disabledReason={kinds.length === 0 ? 'No passkey works at this address.' : undefined}
      sentence={
        isProof
          ? 'This action reveals or changes access, so it needs a passkey, or your password and a code.'
          : 'Your password is right. Now confirm with your second factor.'
      }
      size="narrow"
      ignoresOutsidePress
      discardsTyped
      action={form}
      rateLimit="For security, the number of attempts is limited."
      keepsInput
      failurePanel={
        failure && (
          <ActionFailurePanel
            failure={failure}
            notDone={isProof ? 'Your identity could not be confirmed' : texts.notDone}
            unknown={
              isProof ? 'We could not confirm whether your identity was confirmed' : texts.unknown
            }
            adviceIfUnknown="Trying again is safe."
          />
        )
      }
      formId={formId}
      onClose={onCancel}
      finalFocus={finalFocus}
    >
      <DialogForm id={formId} {...form.attributes}>
        {needed.kinds.includes('passkey') && !kinds.includes('passkey') && (
          <PasskeyElsewhere passkeyHost={needed.passkeyHost} />
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
        <FactorFields form={form} kinds={kinds} />
      </DialogForm>
    </ActionDialog>
  );
}
