'use client';

import { type SubmitEvent, useState } from 'react';

import { usePublicAction } from '#components/shell/actions/use-action.ts';
import { ErrorPanel } from '#components/shell/feedback/error-panel.tsx';
import { fieldErrorsOf } from '#components/shell/feedback/field-errors.ts';
import { RateLimitNotice, rateLimitReason } from '#components/shell/feedback/rate-limit-notice.tsx';
import { PasswordInput } from '#components/shell/identity/password-input.tsx';
import {
  MIN_PASSWORD_LENGTH,
  PasswordLength,
} from '#components/shell/identity/password-length.tsx';
import { Button } from '#components/ui/buttons/button.tsx';
import { Field } from '#components/ui/inputs/field.tsx';
import { Input } from '#components/ui/inputs/input.tsx';
import { useFirstInvalid } from '#components/ui/inputs/use-first-invalid.ts';
import { setUp } from '#lib/actions/session.ts';

const fields = ['account_name', 'name', 'email', 'password'] as const;
type FieldName = (typeof fields)[number];
type FieldErrors = Partial<Record<FieldName, string>>;

export type SetUpFormProps = {
  token: string;
  /** Called if the set-up link was used or has expired. */
  onRefused: (reason: string) => void;
};

/** The form that creates the first account and signs its owner in. */
export function SetUpForm({ token, onRefused }: SetUpFormProps) {
  const [errors, setErrors] = useState<FieldErrors>({});
  const [passwordLength, setPasswordLength] = useState(0);
  const [isLeaving, setLeaving] = useState(false);
  const { run, clearFailure, isPending, failure, deadline, secondsLeft } = usePublicAction();
  const { form, focusFirstInvalid } = useFirstInvalid();

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const input = readForm(new FormData(event.currentTarget));
    clearFailure();
    const missing = missingFields(input);
    showFieldErrors(missing);
    if (Object.keys(missing).length > 0) return;
    run(() => setUp({ ...input, set_up_token: token }), {
      onDone: () => {
        setLeaving(true);
        window.location.replace('/');
      },
      onFailure: (result, show) => {
        const reason = result.details?.['set_up_token']?.[0];
        if (reason !== undefined) {
          onRefused(reason);
          return;
        }
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

  function clearError(name: FieldName) {
    const { [name]: cleared, ...others } = errors;
    if (cleared !== undefined) setErrors(others);
  }

  return (
    <>
      <RateLimitNotice keepsInput deadline={deadline} />
      {failure && (
        <ErrorPanel
          title="The account was not made"
          message={failure.message}
          requestId={failure.requestId}
        />
      )}
      <form ref={form} method="post" noValidate onSubmit={submit} className="grid gap-4">
        <Field
          label="Account name"
          help="Your company or team. Keys and webhooks belong to it."
          error={errors.account_name}
        >
          <Input
            name="account_name"
            size="large"
            autoComplete="organization"
            required
            onChange={() => clearError('account_name')}
          />
        </Field>
        <Field label="Your name" error={errors.name}>
          <Input
            name="name"
            size="large"
            autoComplete="name"
            required
            onChange={() => clearError('name')}
          />
        </Field>
        <Field label="E-mail" help="You sign in with it." error={errors.email}>
          <Input
            name="email"
            type="email"
            size="large"
            autoComplete="username"
            autoCapitalize="none"
            autoCorrect="off"
            spellCheck={false}
            required
            onChange={() => clearError('email')}
          />
        </Field>
        <Field
          label="Password"
          help={<PasswordLength length={passwordLength} />}
          error={errors.password}
        >
          <PasswordInput
            name="password"
            size="large"
            autoComplete="new-password"
            required
            minLength={MIN_PASSWORD_LENGTH}
            onChange={(event) => {
              setPasswordLength(event.target.value.length);
              clearError('password');
            }}
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
          Create account
        </Button>
      </form>
    </>
  );
}

function readForm(form: FormData): Record<FieldName, string> {
  return {
    account_name: text(form, 'account_name'),
    name: text(form, 'name'),
    email: text(form, 'email'),
    password: text(form, 'password'),
  };
}

function text(form: FormData, name: FieldName): string {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
}

const MISSING: Record<FieldName, string> = {
  account_name: 'Enter a name for the account.',
  name: 'Enter your name.',
  email: 'Enter your e-mail address.',
  password: `Use at least ${MIN_PASSWORD_LENGTH} characters.`,
};

/** The errors that the form can find without the service. */
function missingFields(input: Record<FieldName, string>): FieldErrors {
  const found: FieldErrors = {};
  for (const name of fields) {
    const least = name === 'password' ? MIN_PASSWORD_LENGTH : 1;
    const typed = name === 'password' ? input[name] : input[name].trim();
    if (typed.length < least) found[name] = MISSING[name];
  }
  return found;
}
