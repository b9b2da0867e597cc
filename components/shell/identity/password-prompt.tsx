import { useRef } from 'react';
import { Note } from '#components/ui/feedback/note.tsx';
import { Field } from '#components/ui/inputs/form/field.tsx';
import type { ActionFailure } from '#lib/actions/action-result.ts';
import type { NeededFactor } from '#lib/contract/people/second-factors.ts';
import { confirmIdentity } from '#lib/actions/people/person.ts';
import { signIn } from '#lib/actions/people/signing-in.ts';
import { signInPath } from '#lib/paths/sign-in-path.ts';
import { announceSessionChange } from '#lib/session/session-channel.ts';
import { usePublicForm } from '../form/use-form.ts';
import { FixedEmail } from './fixed-email.tsx';
import type { IdentityPromptProps } from './identity-prompt-props.ts';
import { PasswordInput } from './password-input.tsx';
import { passwordTexts, PromptDialog } from './prompt-dialog.tsx';

type PasswordPromptProps = IdentityPromptProps & {
  /** Why the previous sign-in ended; null: there was none. */
  ended: string | null;
  /** Called if the password was right and a second factor is needed. */
  onSecondFactor: (needed: NeededFactor) => void;
};

/** Prompts the person for whom the page was rendered for their password. */
export function PasswordPrompt({
  kind,
  session,
  ended,
  onCancel,
  onConfirmed,
  onSecondFactor,
  onSignedIn,
  onSessionEnded,
  finalFocus,
}: PasswordPromptProps) {
  const password = useRef<HTMLInputElement>(null);
  const { email } = session.person;
  const form = usePublicForm({
    initial: { password: '' },
    validate: (typed) => (typed.password === '' ? { password: 'Enter your password.' } : {}),
    send: async (typed) =>
      kind === 'proof'
        ? { data: null, ...(await confirmIdentity({ body: typed })) }
        : await signIn({ body: { email, ...typed } }),
    onDone: ({ data: secondFactor }) => {
      if (kind === 'proof') {
        onConfirmed();
        return;
      }
      if (secondFactor) {
        onSecondFactor(secondFactor);
        return;
      }
      announceSessionChange();
      onSignedIn();
    },
    onFailure: (failure, show) => {
      if (kind === 'proof' && failure.code === 'UNAUTHORIZED') onSessionEnded();
      else show(withoutEmail(failure));
    },
    // In a transition, React would keep it pending until the action that waits for this prompt is
    // done.
    isInBackground: true,
  });

  return (
    <PromptDialog
      texts={passwordTexts[kind]}
      form={form}
      before={ended !== null && <Note>{ended}</Note>}
      after={kind === 'sign-in' && <SomeoneElse name={session.person.name} />}
      onCancel={onCancel}
      initialFocus={password}
      finalFocus={finalFocus}
    >
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
    </PromptDialog>
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
