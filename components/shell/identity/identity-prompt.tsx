'use client';

import { useId, useRef } from 'react';

import { Field } from '#components/ui/inputs/field.tsx';
import type { FocusTarget } from '#components/ui/overlays/dialog.tsx';
import type { ActionFailure } from '#lib/actions/action-result.ts';
import { confirmIdentity, signIn } from '#lib/actions/session.ts';
import type { Session } from '#lib/contract/dashboard.ts';
import { signInPath } from '#lib/sign-in-path.ts';

import { ActionDialog } from '../actions/action-dialog.tsx';
import { DialogForm } from '../actions/dialog-form.tsx';
import { ActionFailurePanel } from '../feedback/action-failure-panel.tsx';
import { usePublicForm } from '../form/use-form.ts';
import { FixedEmail } from './fixed-email.tsx';
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
  const { email } = session.person;
  const texts = TEXTS[kind];
  const form = usePublicForm({
    initial: { password: '' },
    validate: (typed) => (typed.password === '' ? { password: 'Enter your password.' } : {}),
    send: (typed) => (kind === 'proof' ? confirmIdentity(typed) : signIn({ email, ...typed })),
    onDone: () => {
      if (kind === 'proof') {
        outcomes.onConfirmed();
        return;
      }
      announceSessionChange();
      outcomes.onSignedIn();
    },
    onFailure: (failure, show) => {
      if (kind === 'proof' && failure.code === 'UNAUTHORIZED') outcomes.onSessionEnded();
      else show(withoutEmail(failure));
    },
    // In a transition, React would keep it pending until the action that waits for this prompt is
    // done.
    isInBackground: true,
  });
  const { failure } = form;

  return (
    <ActionDialog
      title={texts.title}
      confirmLabel={texts.button}
      sentence={texts.sentence}
      size="narrow"
      ignoresOutsidePress
      action={form}
      rateLimit="The number of tries is limited, so that nobody can guess a password."
      keepsInput
      failurePanel={
        failure && (
          <ActionFailurePanel
            failure={failure}
            notDone={texts.notDone}
            unknown={texts.unknown}
            adviceIfUnknown="Trying again is safe."
          />
        )
      }
      formId={formId}
      onClose={onCancel}
      initialFocus={password}
      finalFocus={finalFocus}
    >
      <DialogForm id={formId} {...form.attributes}>
        <FixedEmail email={email} />
        <Field label="Password" error={form.errors.password}>
          <PasswordInput
            ref={password}
            name="password"
            autoComplete="current-password"
            required
            value={form.values.password}
            onChange={(event) => form.change({ password: event.target.value })}
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
    notDone: 'Your password could not be checked',
    unknown: 'It is unknown whether your password was accepted',
  },
  'sign-in': {
    title: 'Sign in again',
    sentence: 'Your session has ended. This page and what you typed stay as they are.',
    button: 'Sign in',
    notDone: 'Sign-in failed',
    unknown: 'It is unknown whether you were signed in',
  },
};

/** A wrong sign-in is said of both, but here only the password was typed. */
function withoutEmail(failure: ActionFailure): ActionFailure {
  const password = failure.details?.['password']?.map((message) =>
    message.replace('e-mail or password', 'password'),
  );
  return password === undefined
    ? failure
    : { ...failure, details: { ...failure.details, password } };
}

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
