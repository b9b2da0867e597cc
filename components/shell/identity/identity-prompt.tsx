'use client';

import { useQuery } from '@tanstack/react-query';
import { useId, useRef, useState } from 'react';

import { Note } from '#components/ui/feedback/note.tsx';
import { Field } from '#components/ui/inputs/field.tsx';
import type { FocusTarget } from '#components/ui/overlays/dialog.tsx';
import type { ActionFailure } from '#lib/actions/action-result.ts';
import type { NeededFactor } from '#lib/actions/people/session.ts';
import { confirmIdentity, signIn } from '#lib/actions/people/session.ts';
import type { Session } from '#lib/contract/people/sessions.ts';
import type { SecondFactorKind } from '#lib/contract/people/second-factors.ts';
import { sessionQuery } from '#lib/queries/people/session.ts';
import { signInPath } from '#lib/paths/sign-in-path.ts';

import { ActionDialog } from '../actions/action-dialog.tsx';
import { DialogForm } from '../actions/dialog-form.tsx';
import { ActionFailurePanel } from '../feedback/action-failure-panel.tsx';
import { usePublicForm } from '../form/use-form.ts';
import { FixedEmail } from './fixed-email.tsx';
import { FactorPrompt } from './factor-prompt.tsx';
import { PasswordInput } from './password-input.tsx';
import { promptTexts } from './prompt-texts.ts';
import { announceSessionChange } from '#lib/session/session-channel.ts';

/** `proof`: the action needs a fresh proof. `sign-in`: the session has ended. */
export type IdentityPromptKind = 'proof' | 'sign-in';

export type IdentityPromptProps = {
  kind: IdentityPromptKind;
  session: PromptedSession;
  onConfirmed: () => void;
  /** Called after the same person signed in again. */
  onSignedIn: () => void;
  /** Called if the session ended before the proof was given. */
  onSessionEnded: () => void;
  onCancel: () => void;
  finalFocus: FocusTarget;
};

/** Whom the page was made for, and which second factors they had then. */
export type PromptedSession = Pick<
  Session,
  'person' | 'account' | 'second_factor' | 'passkey_host'
>;

/**
 * Asks the person for whom the page was rendered for their password, and for a second factor if
 * they have one.
 */
export function IdentityPrompt({ session, ...props }: IdentityPromptProps) {
  const { kind, onConfirmed, onSessionEnded, onCancel, finalFocus } = props;
  // Factors may have been added or removed since.
  const { data: current = session } = useQuery({ ...sessionQuery(session), enabled: false });
  const [needed, setNeeded] = useState<NeededFactor | null>(null);
  const [ended, setEnded] = useState<string | null>(null);
  const { email } = session.person;
  const shared = { email, onCancel, finalFocus, texts: promptTexts[kind] };

  if (kind === 'proof' && (current.second_factor.app || current.second_factor.passkeys > 0)) {
    return (
      <FactorPrompt
        {...shared}
        kind="proof"
        needed={factorsOf(current)}
        onDone={onConfirmed}
        onFailure={(failure, show) => {
          if (failure.code === 'UNAUTHORIZED') onSessionEnded();
          else show(failure);
        }}
      />
    );
  }
  if (needed) {
    return (
      <FactorPrompt
        {...shared}
        kind="sign-in"
        needed={needed}
        onDone={() => {
          announceSessionChange();
          props.onSignedIn();
        }}
        onFailure={(failure, show) => {
          const reasons = failure.details?.['pending_token'];
          if (!reasons) {
            show(failure);
            return;
          }
          setEnded(reasons.join(' '));
          setNeeded(null);
        }}
      />
    );
  }
  return <PasswordPrompt {...props} session={session} ended={ended} onSecondFactor={setNeeded} />;
}

function factorsOf({ second_factor: factors, passkey_host: passkeyHost }: PromptedSession) {
  const kinds: SecondFactorKind[] = [
    ...(factors.passkeys > 0 ? (['passkey'] as const) : []),
    ...(factors.app ? (['app'] as const) : []),
    ...(factors.recovery_codes_left > 0 ? (['recovery_code'] as const) : []),
  ];
  return { kinds, passkeyHost };
}

type PasswordPromptProps = IdentityPromptProps & {
  /** Why the previous sign-in ended; null: there was none. */
  ended: string | null;
  /** Called if the password was right and a second factor is needed. */
  onSecondFactor: (needed: NeededFactor) => void;
};

function PasswordPrompt({
  kind,
  session,
  ended,
  onCancel,
  finalFocus,
  ...outcomes
}: PasswordPromptProps) {
  const formId = useId();
  const password = useRef<HTMLInputElement>(null);
  const { email } = session.person;
  const texts = promptTexts[kind];
  const form = usePublicForm({
    initial: { password: '' },
    validate: (typed) => (typed.password === '' ? { password: 'Enter your password.' } : {}),
    send: async (typed) =>
      kind === 'proof'
        ? { secondFactor: null, ...(await confirmIdentity(typed)) }
        : await signIn({ email, ...typed }),
    onDone: ({ secondFactor }) => {
      if (kind === 'proof') {
        outcomes.onConfirmed();
        return;
      }
      if (secondFactor) {
        outcomes.onSecondFactor(secondFactor);
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
      discardsTyped
      action={form}
      rateLimit="For security, the number of attempts is limited."
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
      {ended !== null && <Note>{ended}</Note>}
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

/** The service's message names email and password, but here only the password was typed. */
function withoutEmail(failure: ActionFailure): ActionFailure {
  const password = failure.details?.['password']?.map((message) =>
    message.replace('email or password', 'password'),
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
