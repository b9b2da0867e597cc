'use client';

import { useId, useRef, useState } from 'react';

import { Field } from '#components/ui/inputs/field.tsx';
import { useFirstInvalid } from '#components/ui/inputs/use-first-invalid.ts';
import type { FocusTarget } from '#components/ui/overlays/dialog.tsx';
import type { ActionFailure } from '#lib/actions/action-result.ts';
import { confirmPassword, signIn as signInAgain } from '#lib/actions/session.ts';
import { catchNetworkError } from '#lib/actions/catch-network-error.ts';
import type { Session } from '#lib/contract/dashboard.ts';
import { signInPath } from '#lib/sign-in-path.ts';

import { ActionDialog } from '../actions/action-dialog.tsx';
import { DialogForm } from '../actions/dialog-form.tsx';
import { useFailureState } from '../actions/use-failure-state.ts';
import { ErrorPanel } from '../feedback/error-panel.tsx';
import { PasswordInput } from './password-input.tsx';
import { announceSessionChange } from './session-channel.ts';

/** `proof`: the action needs a fresh proof. `sign-in`: the session has ended. */
export type IdentityPromptKind = 'proof' | 'sign-in';

export type IdentityPromptProps = {
  kind: IdentityPromptKind;
  session: Pick<Session, 'person'>;
  onConfirmed: () => void;
  /** Called after the same person signed in again. */
  onSignedIn: () => void;
  /** Called if the session ended before the proof was given. */
  onSessionEnded: () => void;
  onCancel: () => void;
  finalFocus: FocusTarget;
};

/** Asks the person for whom the page was rendered for their password. */
export function IdentityPrompt({
  kind,
  session,
  onCancel,
  finalFocus,
  ...outcomes
}: IdentityPromptProps) {
  const formId = useId();
  const password = useRef<HTMLInputElement>(null);
  const [error, setError] = useState<string>();
  const { clearFailure, showFailure, ...state } = useFailureState();
  // Not a transition: React would keep it pending until the action that waits for this prompt is
  // done.
  const [isPending, setPending] = useState(false);
  const { form, focusFirstInvalid } = useFirstInvalid();
  const { email } = session.person;
  const texts = TEXTS[kind];

  function submit() {
    const typed = password.current?.value ?? '';
    clearFailure();
    if (typed === '') showPasswordError('Enter your password.');
    else void submitPassword(typed);
  }

  async function submitPassword(typed: string) {
    setPending(true);
    await (kind === 'proof' ? giveProof(typed) : signIn(typed));
    setPending(false);
  }

  async function giveProof(typed: string) {
    const result = await catchNetworkError(confirmPassword({ password: typed }));
    if (result.ok) outcomes.onConfirmed();
    else if (result.code === 'UNAUTHORIZED') outcomes.onSessionEnded();
    else showFailure(result, showAtPassword);
  }

  async function signIn(typed: string) {
    const result = await catchNetworkError(signInAgain({ email, password: typed }));
    if (!result.ok) {
      showFailure(result, showAtPassword);
      return;
    }
    announceSessionChange();
    outcomes.onSignedIn();
  }

  function showAtPassword(failure: ActionFailure, show: (failure: ActionFailure) => void) {
    const passwordError = failure.details?.['password']?.[0];
    if (passwordError === undefined) show(failure);
    else showPasswordError(passwordError.replace('e-mail or password', 'password'));
  }

  function showPasswordError(message: string) {
    setError(message);
    focusFirstInvalid();
  }

  return (
    <ActionDialog
      title={texts.title}
      confirmLabel={texts.button}
      sentence={texts.sentence}
      size="narrow"
      ignoresOutsidePress
      action={{ ...state, isPending }}
      rateLimit="The number of tries is limited, so that nobody can guess a password."
      keepsInput
      failurePanel={
        state.failure && (
          <ErrorPanel
            title={texts.failed}
            message={state.failure.message}
            requestId={state.failure.requestId}
          />
        )
      }
      formId={formId}
      onClose={onCancel}
      initialFocus={password}
      finalFocus={finalFocus}
    >
      <DialogForm id={formId} form={form} onSubmit={submit}>
        <div className="grid gap-0.5">
          <span className="text-small font-medium">E-mail</span>
          <span className="text-ink-2 wrap-anywhere">{email}</span>
        </div>
        {/* Tells a password manager which account's password is needed. */}
        <input hidden readOnly name="email" autoComplete="username" value={email} />
        <Field label="Password" error={error}>
          <PasswordInput
            ref={password}
            name="password"
            autoComplete="current-password"
            required
            onChange={() => setError(undefined)}
          />
        </Field>
      </DialogForm>
      {kind === 'sign-in' && <SomeoneElse name={session.person.name} />}
    </ActionDialog>
  );
}

const TEXTS = {
  proof: {
    title: 'Confirm it is you',
    sentence: 'This action reveals or changes access, so it needs your password.',
    button: 'Confirm',
    failed: 'Your password could not be checked',
  },
  'sign-in': {
    title: 'Sign in again',
    sentence: 'Your session has ended. This page and what you typed stay as they are.',
    button: 'Sign in',
    failed: 'Sign-in failed',
  },
};

/** Another person must not act from this page, so they sign in on a new one. */
function SomeoneElse({ name }: { name: string }) {
  return (
    <p className="text-small text-ink-3">
      Not {name}?{' '}
      <a className="link" href={signInPath(window.location.pathname + window.location.search)}>
        Sign in as someone else
      </a>
    </p>
  );
}
