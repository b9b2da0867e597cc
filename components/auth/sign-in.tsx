'use client';

import { type SubmitEvent, useState } from 'react';

import { usePublicAction } from '#components/shell/actions/use-action.ts';
import { ErrorPanel } from '#components/shell/feedback/error-panel.tsx';
import { fieldErrorsOf } from '#components/shell/feedback/field-errors.ts';
import { RateLimitNotice, rateLimitReason } from '#components/shell/feedback/rate-limit-notice.tsx';
import { PasswordInput } from '#components/shell/identity/password-input.tsx';
import { announceSessionChange } from '#components/shell/identity/session-channel.ts';
import { Button } from '#components/ui/buttons/button.tsx';
import { Field } from '#components/ui/inputs/field.tsx';
import { Input } from '#components/ui/inputs/input.tsx';
import { useFirstInvalid } from '#components/ui/inputs/use-first-invalid.ts';
import { signIn } from '#lib/actions/session.ts';

const fields = ['email', 'password'] as const;
type FieldErrors = Partial<Record<(typeof fields)[number], string | undefined>>;

/** The sign-in form. It leads to `next`, which must be a path of this site. */
export function SignIn({ next }: { next: string }) {
  const [errors, setErrors] = useState<FieldErrors>({});
  const [isLeaving, setLeaving] = useState(false);
  const { run, clearFailure, isPending, failure, deadline, secondsLeft } = usePublicAction();
  const { form, focusFirstInvalid } = useFirstInvalid();

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const typed = new FormData(event.currentTarget);
    const input = { email: text(typed, 'email'), password: text(typed, 'password') };
    clearFailure();
    if (input.email.trim() === '' || input.password === '') {
      showFieldErrors({
        email: input.email.trim() === '' ? 'Enter your e-mail address.' : undefined,
        password: input.password === '' ? 'Enter your password.' : undefined,
      });
      return;
    }
    run(() => signIn(input), {
      onDone: () => {
        setLeaving(true);
        announceSessionChange();
        // A full page load, so that no data of another person stays in memory.
        window.location.replace(next);
      },
      onFailure: (result, show) => {
        const fieldErrors = fieldErrorsOf(result, fields);
        showFieldErrors(fieldErrors);
        if (Object.keys(fieldErrors).length === 0) show(result);
      },
    });
  }

  function showFieldErrors(found: FieldErrors) {
    setErrors(found);
    focusFirstInvalid();
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
      {/* `post`: if the form is submitted before hydration, the password must not appear in the URL. */}
      <form ref={form} method="post" noValidate onSubmit={submit} className="grid gap-4">
        <Field label="E-mail" error={errors.email}>
          <Input
            name="email"
            type="email"
            size="large"
            autoComplete="username"
            autoCapitalize="none"
            autoCorrect="off"
            spellCheck={false}
            required
            onChange={() => setErrors(({ password }) => ({ password }))}
          />
        </Field>
        <Field label="Password" error={errors.password}>
          <PasswordInput
            name="password"
            size="large"
            autoComplete="current-password"
            required
            onChange={() => setErrors(({ email }) => ({ email }))}
          />
        </Field>
        <Button
          type="submit"
          variant="primary"
          size="large"
          className="mt-2"
          pending={isPending || isLeaving}
          disabledReason={rateLimitReason(secondsLeft)}
        >
          Sign in
        </Button>
      </form>
      <p className="text-small text-pretty text-ink-3">
        Forgot your password? Whoever runs this service can set a new one.
      </p>
    </>
  );
}

function text(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
}
