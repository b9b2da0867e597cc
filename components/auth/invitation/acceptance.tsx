import { useState } from 'react';
import { ActionButton } from '#components/shell/actions/action-button.tsx';
import { usePublicAction } from '#components/shell/actions/use-action.ts';
import { ActionProblem } from '#components/shell/feedback/action-problem.tsx';
import type { FieldErrors } from '#components/shell/form/group-errors-by-field.ts';
import { nameError } from '#components/shell/form/text-errors.ts';
import { usePublicForm } from '#components/shell/form/use-form.ts';
import { FixedEmail } from '#components/shell/identity/fixed-email.tsx';
import { newPasswordError } from '#components/shell/identity/password-length.tsx';
import { SignOutFailure } from '#components/shell/identity/sign-out/sign-out-failure.tsx';
import { endSessionHere } from '#components/shell/identity/sign-out/sign-out.ts';
import { Form } from '#components/ui/inputs/form/form.tsx';
import { type Segment, Segmented } from '#components/ui/inputs/segmented.tsx';
import type { ActionFailure } from '#lib/actions/action-result.ts';
import { acceptInvitation } from '#lib/actions/people/signing-in.ts';
import type { InvitationTerms } from '#lib/contract/people/invitations.ts';
import { announceSessionChange } from '#lib/session/session-channel.ts';
import { NameField } from '../name-field.tsx';
import { NewPasswordField } from '../new-password-field.tsx';
import { SignInForm } from '../sign-in/sign-in.tsx';
import { SubmitButton } from '../submit-button.tsx';
import { useProceedAfterAction } from '../use-proceed-after-action.ts';
import { JoinForm } from './join-form.tsx';

type AcceptanceProps = {
  terms: InvitationTerms;
  /** The email of the person who was signed in when the page was opened; null: nobody. */
  signedIn: string | null;
  /** Handles a failure that is about the invitation: it was used, renewed, revoked or expired. */
  refuse: (failure: ActionFailure) => boolean;
};

/** Who the person is, in this browser: their email, and whether they signed in on this page. */
type Person = { email: string | null; hasJustSignedIn: boolean };

export function Acceptance({ terms, signedIn, refuse }: AcceptanceProps) {
  // Read from the page once: signing in renders the page again, and the steps advance by
  // themselves.
  const [person, setPerson] = useState<Person>({ email: signedIn, hasJustSignedIn: false });
  const [choice, setChoice] = useState<Choice>('new');
  const [notice, setNotice] = useState<string | null>(null);

  function askToSignIn(reason: string) {
    setNotice(reason);
    setChoice('existing');
    setPerson({ email: null, hasJustSignedIn: false });
  }

  if (person.email === terms.email) {
    return (
      <JoinForm
        terms={terms}
        joinsAtOnce={person.hasJustSignedIn}
        refuse={refuse}
        onSignInNeeded={askToSignIn}
      />
    );
  }
  if (person.email !== null) {
    return (
      <OtherPerson
        email={terms.email}
        signedIn={person.email}
        onSignedOut={() => setPerson({ email: null, hasJustSignedIn: false })}
      />
    );
  }
  return (
    <>
      <p role="status" className="text-pretty text-ink-2 empty:hidden">
        {notice}
      </p>
      <Segmented
        legend="Do you have an account?"
        isLegendHidden
        segments={choices}
        value={choice}
        onChange={setChoice}
      />
      {choice === 'new' ? (
        <AcceptForm terms={terms} refuse={refuse} onSignInNeeded={askToSignIn} />
      ) : (
        <SignInForm
          email={terms.email}
          isEmailFixed
          label="Sign in and join"
          onSignedIn={() => setPerson({ email: terms.email, hasJustSignedIn: true })}
        />
      )}
    </>
  );
}

/** Before someone signs in, the service does not say whether they have an account. */
type Choice = 'new' | 'existing';

const choices: readonly Segment<Choice>[] = [
  { value: 'new', label: 'I am new here' },
  { value: 'existing', label: 'I have an account' },
];

type OtherPersonProps = {
  email: string;
  signedIn: string | null;
  onSignedOut: () => void;
};

/** Shows that someone else is signed in in this browser, who has to sign out first. */
function OtherPerson({ email, signedIn, onSignedOut }: OtherPersonProps) {
  const { runInBackground, ...action } = usePublicAction();
  return (
    <>
      <p className="text-pretty wrap-anywhere">
        You are signed in as <strong className="font-medium">{signedIn}</strong>. This invitation is
        for <strong className="font-medium">{email}</strong>. To accept it, sign out first.
      </p>
      {action.failure && <SignOutFailure failure={action.failure} />}
      <ActionButton
        size="large"
        variant="primary"
        action={action}
        onClick={() => void runInBackground(endSessionHere, { onDone: onSignedOut })}
      >
        Sign out
      </ActionButton>
    </>
  );
}

type AcceptFormProps = {
  terms: InvitationTerms;
  /** Handles a failure that is about the invitation: it was used, renewed, revoked or expired. */
  refuse: (failure: ActionFailure) => boolean;
  /** Called if someone with this email has an account already. */
  onSignInNeeded: (reason: string) => void;
};

/** The form that accepts an invitation with a name and a password, and signs the person in. */
function AcceptForm({ terms, refuse, onSignInNeeded }: AcceptFormProps) {
  const form = usePublicForm({
    initial: { name: '', password: '' },
    validate: ({ name, password }): FieldErrors<'name' | 'password'> => {
      const wrongName = nameError(name, 'Enter your name.');
      const passwordError = newPasswordError(password);
      return {
        ...(wrongName !== null && { name: wrongName }),
        ...(passwordError !== null && { password: passwordError }),
      };
    },
    send: (body) => acceptInvitation({ body }),
    onDone: () => {
      announceSessionChange();
      proceed();
    },
    onFailure: (failure, show) => {
      if (refuse(failure)) return;
      const reason = failure.details?.['email']?.[0];
      if (reason === undefined) show(failure);
      else onSignInNeeded(reason);
    },
  });
  const { values, change, errors } = form;
  // A full load, so that no data of another person stays in memory. It opens the account.
  const { isProceeding, proceed } = useProceedAfterAction(form.isPending, () =>
    window.location.replace('/'),
  );

  return (
    <>
      <ActionProblem
        keepsInput
        action={form}
        notDone={`You did not join ${terms.account_name}`}
        unknown={`We could not confirm whether you joined ${terms.account_name}`}
        adviceIfUnknown="If you joined, the invitation no longer works, and you can sign in with this password."
      />
      <Form {...form.attributes} className="grid gap-4">
        <FixedEmail email={terms.email} />
        <NameField error={errors.name} value={values.name} onChange={(name) => change({ name })} />
        <NewPasswordField
          label="Password"
          error={errors.password}
          value={values.password}
          onChange={(password) => change({ password })}
        />
        <SubmitButton action={{ ...form, isPending: form.isPending || isProceeding }}>
          Join {terms.account_name}
        </SubmitButton>
      </Form>
    </>
  );
}
