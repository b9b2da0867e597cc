'use client';

import { useState } from 'react';
import { ActionProblem } from '#components/shell/feedback/action-problem.tsx';
import type { FieldErrors } from '#components/shell/form/group-errors-by-field.ts';
import { emailError } from '#components/shell/form/text-errors.ts';
import { usePublicForm } from '#components/shell/form/use-form.ts';
import { FixedEmail } from '#components/shell/identity/fixed-email.tsx';
import { PasswordInput } from '#components/shell/identity/password-input.tsx';
import { FactorFields } from '#components/shell/identity/second-factor/factor-fields.tsx';
import { OtherFactorKinds } from '#components/shell/identity/second-factor/other-factor-kinds.tsx';
import { PasskeyElsewhere } from '#components/shell/identity/second-factor/passkey-elsewhere.tsx';
import { usableKinds } from '#components/shell/identity/second-factor/usable-kinds.ts';
import { useFactorForm } from '#components/shell/identity/second-factor/use-factor-form.ts';
import { Note } from '#components/ui/feedback/note.tsx';
import { Field } from '#components/ui/inputs/form/field.tsx';
import { Form } from '#components/ui/inputs/form/form.tsx';
import { PageLink } from '#components/ui/navigation/page-link.tsx';
import { finishSignIn, signIn, startPasskeySignIn } from '#lib/actions/people/signing-in.ts';
import type { NeededFactor } from '#lib/contract/people/second-factors.ts';
import { announceSessionChange } from '#lib/session/session-channel.ts';
import { EmailField } from '../email-field.tsx';
import { pathWithEmail } from '../path-with-email.ts';
import { SubmitButton } from '../submit-button.tsx';
import { useProceedAfterAction } from '../use-proceed-after-action.ts';

type SignInProps = {
  /** Where the person goes after signing in: a path of this site. */
  next: string;
  /** The email address that was typed on the previous page. */
  email: string;
};

export function SignIn({ next, email }: SignInProps) {
  // A full load, so that no data of another person stays in memory.
  return <SignInForm email={email} onSignedIn={() => window.location.replace(next)} />;
}

type SignInFormProps = {
  /** The address at first. */
  email: string;
  /** Whether nobody else can sign in here. Then the page stays open while a password is reset. */
  isEmailFixed?: boolean;
  label?: string;
  /** Called once the person is signed in and the action has ended. The form stays pending. */
  onSignedIn: () => void;
};

/** The form to sign in: email and password, then a second factor if they have one. */
export function SignInForm(props: SignInFormProps) {
  const [needed, setNeeded] = useState<NeededFactor | null>(null);
  const [ended, setEnded] = useState<string | null>(null);
  const [email, setEmail] = useState(props.email);
  if (needed) {
    return (
      <SecondFactorForm
        needed={needed}
        label={props.label ?? 'Sign in'}
        onSignedIn={props.onSignedIn}
        onBack={(reason) => {
          setEnded(reason);
          setNeeded(null);
        }}
      />
    );
  }
  return (
    <>
      {ended !== null && <Note>{ended}</Note>}
      <PasswordForm
        {...props}
        email={email}
        onSecondFactor={(factor, typedEmail) => {
          setEmail(typedEmail);
          setNeeded(factor);
        }}
      />
    </>
  );
}

type PasswordFormProps = SignInFormProps & {
  /** Called with the email address as well, so that it is kept if the person comes back. */
  onSecondFactor: (needed: NeededFactor, email: string) => void;
};

function PasswordForm({
  email: given,
  isEmailFixed = false,
  label = 'Sign in',
  onSignedIn,
  onSecondFactor,
}: PasswordFormProps) {
  const form = usePublicForm({
    initial: { email: given, password: '' },
    validate: findErrors,
    send: (body) => signIn({ body }),
    onDone: ({ data: secondFactor }) => {
      if (secondFactor) {
        onSecondFactor(secondFactor, values.email);
        return;
      }
      announceSessionChange();
      proceed();
    },
  });
  const { values, change, errors } = form;
  const { isProceeding, proceed } = useProceedAfterAction(form.isPending, onSignedIn);

  return (
    <>
      <ActionProblem
        keepsInput
        action={form}
        rateLimit="For security, the number of attempts is limited. In a browser where you signed in before, attempts by other people do not count."
        notDone="Sign-in failed"
        unknown="We could not confirm whether you were signed in"
        adviceIfUnknown="Trying again is safe."
      />
      <Form {...form.attributes} className="grid gap-4">
        {isEmailFixed ? (
          <FixedEmail email={given} />
        ) : (
          <EmailField
            hasFocus={given === ''}
            error={errors.email}
            value={values.email}
            onChange={(email) => change({ email })}
          />
        )}
        <Field label="Password" error={errors.password}>
          <PasswordInput
            name="password"
            size="large"
            autoComplete="current-password"
            autoFocus={given !== ''} // oxlint-disable-line jsx-a11y/no-autofocus -- signing in is all that the page is for
            required
            value={values.password}
            onChange={(event) => change({ password: event.target.value })}
          />
        </Field>
        <SubmitButton action={{ ...form, isPending: form.isPending || isProceeding }}>
          {label}
        </SubmitButton>
      </Form>
      <p className="text-small">
        <PageLink
          href={pathWithEmail('/forgot-password', values.email)}
          {...(isEmailFixed && { target: '_blank' })}
          className="link"
        >
          Forgot your password?
          {isEmailFixed && <span className="sr-only"> Opens in a new tab</span>}
        </PageLink>
      </p>
    </>
  );
}

/** The errors that the form can find without the service. */
function findErrors({
  email,
  password,
}: {
  email: string;
  password: string;
}): FieldErrors<'email' | 'password'> {
  const wrongEmail = emailError(email, 'Enter your email address.');
  return {
    ...(wrongEmail !== null && { email: wrongEmail }),
    ...(password === '' && { password: 'Enter your password.' }),
  };
}

type SecondFactorFormProps = {
  needed: NeededFactor;
  label: string;
  /** Called once the person is signed in and the action has ended. The form stays pending. */
  onSignedIn: () => void;
  /** Returns to the password, with the reason if the sign-in has ended. */
  onBack: (reason: string | null) => void;
};

/** Prompts for the second factor, after the password. */
function SecondFactorForm({ needed, label, onSignedIn, onBack }: SecondFactorFormProps) {
  const { passkey_host: passkeyHost } = needed;
  const kinds = usableKinds(needed, window.location.hostname);
  const form = useFactorForm({
    kinds,
    send: (body) => finishSignIn({ body }),
    startPasskey: startPasskeySignIn,
    onDone: () => {
      announceSessionChange();
      proceed();
    },
    onFailure: (failure, show) => {
      const ended = failure.details?.['pending_token'];
      if (ended) onBack(ended.join(' '));
      else show(failure);
    },
  });
  const { kind } = form;
  const { isProceeding, proceed } = useProceedAfterAction(form.isPending, onSignedIn);

  return (
    <>
      <p className="text-pretty text-ink-2">
        Your password is correct. Now confirm with your second factor.
      </p>
      <ActionProblem
        keepsInput
        action={form}
        rateLimit="For security, the number of attempts is limited."
        notDone="Sign-in failed"
        unknown="We could not confirm whether you were signed in"
        adviceIfUnknown="Trying again is safe."
      />
      {needed.kinds.includes('passkey') && !kinds.includes('passkey') && (
        <PasskeyElsewhere passkeyHost={passkeyHost} />
      )}
      {kinds.length > 0 && (
        <Form {...form.attributes} className="grid gap-4">
          <FactorFields form={form} size="large" />
          <SubmitButton action={{ ...form, isPending: form.isPending || isProceeding }}>
            {kind === 'passkey' ? 'Use passkey' : label}
          </SubmitButton>
        </Form>
      )}
      <div className="grid gap-1">
        <OtherFactorKinds form={form} kinds={kinds} />
        <p className="text-small">
          <button
            type="button"
            className="link min-h-6 max-sm:min-h-11 pointer-coarse:min-h-11"
            onClick={() => onBack(null)}
          >
            Back to email and password
          </button>
        </p>
      </div>
      <p className="text-small text-pretty text-ink-3">
        Lost your second factor and your recovery codes? Ask your administrator to reset your second
        factors.
      </p>
    </>
  );
}
