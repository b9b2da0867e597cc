'use client';

import { type SubmitEvent, useState } from 'react';

import { usePublicAction } from '#components/shell/actions/use-action.ts';
import type { FieldErrors } from '#components/shell/form/group-errors-by-field.ts';
import { useFieldErrors } from '#components/shell/form/use-field-errors.ts';
import { ErrorPanel } from '#components/shell/feedback/error-panel.tsx';
import { RateLimitNotice } from '#components/shell/feedback/rate-limit-notice.tsx';
import { PasswordInput } from '#components/shell/identity/password-input.tsx';
import {
  MIN_PASSWORD_LENGTH,
  PasswordLength,
} from '#components/shell/identity/password-length.tsx';
import { Field } from '#components/ui/inputs/field.tsx';
import { Form } from '#components/ui/inputs/form.tsx';
import { Input } from '#components/ui/inputs/input.tsx';
import { setUp } from '#lib/actions/session.ts';

import { EmailField } from './email-field.tsx';
import { readField } from './read-field.ts';
import { SubmitButton } from './submit-button.tsx';
import { useLeaving } from './use-leaving.ts';

const fields = ['account_name', 'name', 'email', 'password'] as const;
type FieldName = (typeof fields)[number];

export type SetUpFormProps = {
  token: string;
  /** Called if the set-up link was used or has expired. */
  onRefused: (reason: string) => void;
};

/** The form that creates the first account and signs its owner in. */
export function SetUpForm({ token, onRefused }: SetUpFormProps) {
  const { form, errors, errorCount, showErrors, clearError, showFailure } = useFieldErrors(fields);
  const [passwordLength, setPasswordLength] = useState(0);
  const { run, clearFailure, isPending, failure, deadline, secondsLeft } = usePublicAction();
  const { isLeaving, leaveFor } = useLeaving(isPending);

  function submit(event: SubmitEvent<HTMLFormElement>) {
    const input = readForm(new FormData(event.currentTarget));
    clearFailure();
    if (showErrors(missingFields(input))) return;
    run(() => setUp({ ...input, set_up_token: token }), {
      onDone: () => leaveFor('/'),
      onFailure: (result, show) => {
        const reason = result.details?.['set_up_token']?.[0];
        if (reason === undefined) showFailure(result, show);
        else onRefused(reason);
      },
    });
  }

  return (
    <>
      <RateLimitNotice keepsInput deadline={deadline} />
      {failure && (
        <ErrorPanel
          title="The account was not created"
          message={failure.message}
          requestId={failure.requestId}
        />
      )}
      <Form form={form} errorCount={errorCount} onSubmit={submit} className="grid gap-4">
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
        <EmailField
          help="You sign in with it."
          error={errors.email}
          onChange={() => clearError('email')}
        />
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
        <SubmitButton isPending={isPending || isLeaving} secondsLeft={secondsLeft}>
          Create account
        </SubmitButton>
      </Form>
    </>
  );
}

function readForm(form: FormData): Record<FieldName, string> {
  return {
    account_name: readField(form, 'account_name'),
    name: readField(form, 'name'),
    email: readField(form, 'email'),
    password: readField(form, 'password'),
  };
}

const MISSING: Record<FieldName, string> = {
  account_name: 'Enter a name for the account.',
  name: 'Enter your name.',
  email: 'Enter your e-mail address.',
  password: `Use at least ${MIN_PASSWORD_LENGTH} characters.`,
};

/** The errors that the form can find without the service. */
function missingFields(input: Record<FieldName, string>): FieldErrors<FieldName> {
  const found: FieldErrors<FieldName> = {};
  for (const name of fields) {
    const least = name === 'password' ? MIN_PASSWORD_LENGTH : 1;
    const typed = name === 'password' ? input[name] : input[name].trim();
    if (typed.length < least) found[name] = MISSING[name];
  }
  return found;
}
