'use client';

import { useState } from 'react';
import { ActionProblem } from '#components/shell/feedback/action-problem.tsx';
import { emailError } from '#components/shell/form/text-errors.ts';
import { usePublicForm } from '#components/shell/form/use-form.ts';
import { AuthLayout } from '#components/shell/frame/auth-layout.tsx';
import { EmphasizedName } from '#components/shell/identity/emphasized-name.tsx';
import { ButtonLink } from '#components/ui/buttons/button-link.tsx';
import { Form } from '#components/ui/inputs/form/form.tsx';
import { requestPasswordReset } from '#lib/actions/people/signing-in.ts';
import { EmailField } from '../email-field.tsx';
import { SubmitButton } from '../submit-button.tsx';
import { pathWithEmail } from '../path-with-email.ts';

type ForgotPasswordProps = {
  host: string;
  version: string;
  /** The email address that was typed on the previous page. */
  email: string;
};

/** Requests a link to choose a new password. It does not reveal whether the person exists. */
export function ForgotPassword({ host, version, email }: ForgotPasswordProps) {
  const [asked, setAsked] = useState<{ is_mailed: boolean } | null>(null);
  const form = usePublicForm({
    initial: { email },
    validate: (typed) => {
      const error = emailError(typed.email, 'Enter your email address.');
      return error === null ? {} : { email: error };
    },
    send: (body) => requestPasswordReset({ body }),
    onDone: ({ data }) => setAsked(data),
  });
  const { values, change, errors } = form;
  const layout = { host, version };
  const signIn = (
    <ButtonLink href={pathWithEmail('/sign-in', values.email)} size="large">
      Back to sign-in
    </ButtonLink>
  );

  if (asked) {
    const address = <EmphasizedName>{values.email.trim()}</EmphasizedName>;
    return asked.is_mailed ? (
      <AuthLayout
        {...layout}
        title="Check your email"
        sentence={
          <>
            If {address} is registered here, we sent it a link to choose a new password. It works
            once, for 30 minutes.
          </>
        }
      >
        <p className="text-small text-pretty text-ink-3">
          No email after a few minutes? Check your spam folder, or try another address. Only the
          link in the latest email works.
        </p>
        {signIn}
      </AuthLayout>
    ) : (
      <AuthLayout
        {...layout}
        title="Ask your administrator for the link"
        sentence={
          <>
            This service has no mail server. If {address} is registered here, your administrator can
            give you a link to choose a new password. It works once, for 30 minutes.
          </>
        }
      >
        {signIn}
      </AuthLayout>
    );
  }
  return (
    <AuthLayout
      {...layout}
      title="Forgot your password?"
      sentence="We email you a link to choose a new one."
    >
      <ActionProblem
        keepsInput
        action={form}
        rateLimit="You can request this only a few times an hour. If you already received an email, use the latest one."
        notDone="No email was sent"
        unknown="We could not confirm whether an email was sent"
        adviceIfUnknown="Trying again is safe."
      />
      <Form {...form.attributes} className="grid gap-4">
        <EmailField
          hasFocus
          error={errors.email}
          value={values.email}
          onChange={(typed) => change({ email: typed })}
        />
        <SubmitButton action={form}>Send link</SubmitButton>
      </Form>
      {signIn}
    </AuthLayout>
  );
}
