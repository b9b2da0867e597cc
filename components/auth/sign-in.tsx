'use client';

import { type SubmitEvent, useState, useTransition } from 'react';

import { ErrorPanel } from '#components/shell/feedback/error-panel.tsx';
import { announceSessionChange } from '#components/shell/identity/session-channel.ts';
import { PasswordInput } from '#components/shell/identity/password-input.tsx';
import {
  type Deadline,
  deadlineAfter,
  RateLimitNotice,
  useSecondsLeft,
  rateLimitReason,
} from '#components/shell/feedback/rate-limit-notice.tsx';
import { Button } from '#components/ui/buttons/button.tsx';
import { Field } from '#components/ui/inputs/field.tsx';
import { Input } from '#components/ui/inputs/input.tsx';
import { useFirstInvalid } from '#components/ui/inputs/use-first-invalid.ts';
import type { ActionFailure } from '#lib/actions/action-result.ts';
import { signIn } from '#lib/actions/session.ts';
import { catchNetworkError } from '#lib/actions/catch-network-error.ts';

type FieldErrors = { email?: string | undefined; password?: string | undefined };

/** The sign-in form. It leads to `next`, which must be a path of this site. */
export function SignIn({ next }: { next: string }) {
  const [errors, setErrors] = useState<FieldErrors>({});
  const [failure, setFailure] = useState<ActionFailure | null>(null);
  const [deadline, setDeadline] = useState<Deadline | null>(null);
  const [isLeaving, setLeaving] = useState(false);
  const [isPending, startTransition] = useTransition();
  const { form, focusFirstInvalid } = useFirstInvalid();
  const secondsLeft = useSecondsLeft(deadline);

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const typed = new FormData(event.currentTarget);
    const input = { email: text(typed, 'email'), password: text(typed, 'password') };
    setFailure(null);
    if (input.email.trim() === '' || input.password === '') {
      setErrors({
        email: input.email.trim() === '' ? 'Give your e-mail address.' : undefined,
        password: input.password === '' ? 'Give your password.' : undefined,
      });
      focusFirstInvalid();
      return;
    }
    startTransition(async () => {
      const result = await catchNetworkError(signIn(input));
      if (result.ok) {
        setLeaving(true);
        announceSessionChange();
        // A full page load, so that no data of another person stays in memory.
        window.location.replace(next);
      } else {
        showFailure(result);
      }
    });
  }

  function showFailure(result: ActionFailure) {
    const { code, details, retryAfter } = result;
    const fieldErrors = { email: details?.['email']?.[0], password: details?.['password']?.[0] };
    const hasFieldErrors = fieldErrors.email !== undefined || fieldErrors.password !== undefined;
    setErrors(fieldErrors);
    focusFirstInvalid();
    if (code === 'RATE_LIMIT_EXCEEDED') setDeadline(deadlineAfter(retryAfter));
    else if (!hasFieldErrors) setFailure(result);
  }

  return (
    <>
      <RateLimitNotice keepsInput deadline={deadline}>
        The number of tries is limited, so that nobody can guess a password. In a browser where you
        signed in before, other people’s tries do not count.
      </RateLimitNotice>
      {failure && (
        <ErrorPanel
          title="Sign-in did not get through"
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
        Password lost? Whoever runs this service can set a new one.
      </p>
    </>
  );
}

function text(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
}
