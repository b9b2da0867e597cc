'use client';

import type { SubmitEvent } from 'react';

import { usePublicAction } from '#components/shell/actions/use-action.ts';
import type { FieldErrors } from '#components/shell/form/group-errors-by-field.ts';
import { useFieldErrors } from '#components/shell/form/use-field-errors.ts';
import { ErrorPanel } from '#components/shell/feedback/error-panel.tsx';
import { RateLimitNotice } from '#components/shell/feedback/rate-limit-notice.tsx';
import { PasswordInput } from '#components/shell/identity/password-input.tsx';
import { announceSessionChange } from '#components/shell/identity/session-channel.ts';
import { Field } from '#components/ui/inputs/field.tsx';
import { Form } from '#components/ui/inputs/form.tsx';
import { signIn } from '#lib/actions/session.ts';

import { EmailField } from './email-field.tsx';
import { readField } from './read-field.ts';
import { SubmitButton } from './submit-button.tsx';
import { useLeaving } from './use-leaving.ts';

const fields = ['email', 'password'] as const;
type SignInField = (typeof fields)[number];

/** The sign-in form. It leads to `next`, which must be a path of this site. */
export function SignIn({ next }: { next: string }) {
  const { form, errors, errorCount, showErrors, clearError, showFailure } = useFieldErrors(fields);
  const { run, clearFailure, isPending, failure, deadline, secondsLeft } = usePublicAction();
  const { isLeaving, leaveFor } = useLeaving(isPending);

  function submit(event: SubmitEvent<HTMLFormElement>) {
    const typed = new FormData(event.currentTarget);
    const input = { email: readField(typed, 'email'), password: readField(typed, 'password') };
    clearFailure();
    if (showErrors(missingFields(input))) return;
    run(() => signIn(input), {
      onDone: () => {
        announceSessionChange();
        leaveFor(next);
      },
      onFailure: showFailure,
    });
  }

  return (
    <>
      <RateLimitNotice keepsInput deadline={deadline}>
        The number of tries is limited, so that nobody can guess a password. In a browser where you
        signed in before, other people’s tries do not count.
      </RateLimitNotice>
      {failure && (
        <ErrorPanel
          title="Sign-in failed"
          message={failure.message}
          requestId={failure.requestId}
        />
      )}
      <Form form={form} errorCount={errorCount} onSubmit={submit} className="grid gap-4">
        <EmailField hasFocus error={errors.email} onChange={() => clearError('email')} />
        <Field label="Password" error={errors.password}>
          <PasswordInput
            name="password"
            size="large"
            autoComplete="current-password"
            required
            onChange={() => clearError('password')}
          />
        </Field>
        <SubmitButton isPending={isPending || isLeaving} secondsLeft={secondsLeft}>
          Sign in
        </SubmitButton>
      </Form>
      <p className="text-small text-pretty text-ink-3">
        Forgot your password? Ask whoever runs this service to set a new one.
      </p>
    </>
  );
}

/** The errors that the form can find without the service. */
function missingFields({ email, password }: Record<SignInField, string>): FieldErrors<SignInField> {
  return {
    ...(email.trim() === '' && { email: 'Enter your e-mail address.' }),
    ...(password === '' && { password: 'Enter your password.' }),
  };
}
