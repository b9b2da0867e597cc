'use client';

import { type SubmitEvent, useId, useRef, useState } from 'react';

import { Button } from '#components/ui/buttons/button.tsx';
import { Dialog, type FocusTarget } from '#components/ui/overlays/dialog.tsx';
import { Field } from '#components/ui/inputs/field.tsx';
import { useFirstInvalid } from '#components/ui/inputs/use-first-invalid.ts';
import type { ActionFailure } from '#lib/actions/action-result.ts';
import { confirmPassword, signIn as signInAgain } from '#lib/actions/session.ts';
import { catchNetworkError } from '#lib/actions/catch-network-error.ts';
import type { Session } from '#lib/contract/dashboard.ts';
import { signInPath } from '#lib/sign-in-path.ts';

import { cancelDisabledReason } from '../actions/cancel-disabled-reason.ts';
import { ErrorPanel } from '../feedback/error-panel.tsx';
import { announceSessionChange } from './session-channel.ts';
import { PasswordInput } from './password-input.tsx';
import {
  type Deadline,
  deadlineAfter,
  RateLimitNotice,
  useSecondsLeft,
  rateLimitReason,
} from '../feedback/rate-limit-notice.tsx';

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
  const [failure, setFailure] = useState<ActionFailure | null>(null);
  const [deadline, setDeadline] = useState<Deadline | null>(null);
  // Not a transition: React would keep it pending until the action that waits for this prompt is
  // done.
  const [isPending, setPending] = useState(false);
  const { form, focusFirstInvalid } = useFirstInvalid();
  const secondsLeft = useSecondsLeft(deadline);
  const { email } = session.person;
  const texts = TEXTS[kind];

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    // React events bubble from a dialog to the component that rendered it, which may be inside a
    // form.
    event.stopPropagation();
    const typed = password.current?.value ?? '';
    setFailure(null);
    if (typed === '') {
      showPasswordError('Give your password.');
      return;
    }
    void submitPassword(typed);
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
    else showFailure(result);
  }

  async function signIn(typed: string) {
    const result = await catchNetworkError(signInAgain({ email, password: typed }));
    if (!result.ok) {
      showFailure(result);
      return;
    }
    announceSessionChange();
    outcomes.onSignedIn();
  }

  function showFailure(result: ActionFailure) {
    const passwordError = result.details?.['password']?.[0];
    if (passwordError !== undefined)
      showPasswordError(passwordError.replace('E-mail or password', 'The password'));
    else if (result.code === 'RATE_LIMIT_EXCEEDED') setDeadline(deadlineAfter(result.retryAfter));
    else setFailure(result);
  }

  function showPasswordError(message: string) {
    setError(message);
    focusFirstInvalid();
  }

  return (
    <Dialog
      open
      onClose={(how) => {
        if (how !== 'outside') onCancel();
      }}
      ignoresOutsidePress
      isLocked={isPending}
      size="narrow"
      title={texts.title}
      sentence={texts.sentence}
      initialFocus={password}
      finalFocus={finalFocus}
      footer={
        <>
          <Button onClick={onCancel} disabledReason={cancelDisabledReason(isPending)}>
            Cancel
          </Button>
          <Button
            type="submit"
            form={formId}
            variant="primary"
            pending={isPending}
            disabledReason={isPending ? undefined : rateLimitReason(secondsLeft)}
          >
            {texts.button}
          </Button>
        </>
      }
    >
      {/* `post`: if the browser submits the form itself, the password must not appear in the URL. */}
      <form
        ref={form}
        id={formId}
        method="post"
        noValidate
        onSubmit={submit}
        className="grid grid-cols-[minmax(0,1fr)] gap-4"
      >
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
        <RateLimitNotice keepsInput deadline={deadline}>
          The number of tries is limited, so that nobody can guess a password.
        </RateLimitNotice>
        {failure && (
          <ErrorPanel
            title={texts.failed}
            message={failure.message}
            requestId={failure.requestId}
          />
        )}
        {kind === 'sign-in' && <SomeoneElse name={session.person.name} />}
      </form>
    </Dialog>
  );
}

const TEXTS = {
  proof: {
    title: 'Confirm it is you',
    sentence: 'This shows, widens or ends access, so your password is needed again.',
    button: 'Confirm',
    failed: 'Your password could not be checked',
  },
  'sign-in': {
    title: 'Sign in again',
    sentence: 'Your session has ended. This page and what you typed stay as they are.',
    button: 'Sign in',
    failed: 'Sign-in did not get through',
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
