'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';

import { useAction } from '#components/shell/actions/use-action.ts';
import type { FieldErrors } from '#components/shell/form/group-errors-by-field.ts';
import { useFieldErrors } from '#components/shell/form/use-field-errors.ts';
import { ActionFailurePanel } from '#components/shell/feedback/action-failure-panel.tsx';
import { RateLimitNotice } from '#components/shell/feedback/rate-limit-notice.tsx';
import { rateLimitReason } from '#components/shell/feedback/rate-limit.ts';
import { SuccessMessage } from '#components/shell/feedback/success-message.tsx';
import { PasswordInput } from '#components/shell/identity/password-input.tsx';
import {
  MIN_PASSWORD_LENGTH,
  PasswordLength,
} from '#components/shell/identity/password-length.tsx';
import { Section } from '#components/shell/page/section.tsx';
import { Button } from '#components/ui/buttons/button.tsx';
import { Field } from '#components/ui/inputs/field.tsx';
import { Form } from '#components/ui/inputs/form.tsx';
import { changePassword } from '#lib/actions/session.ts';
import type { Session } from '#lib/contract/dashboard.ts';
import { sessionsQuery } from '#lib/queries/session.ts';

import { countSessions } from './count-sessions.ts';

const fields = ['current_password', 'new_password'] as const;
type PasswordField = (typeof fields)[number];
type Passwords = Record<PasswordField, string>;

const empty: Passwords = { current_password: '', new_password: '' };

/**
 * The form to change one's password. A change signs the person out everywhere but in this browser.
 */
export function ChangePassword({ viewer }: { viewer: Session }) {
  const { person } = viewer;
  const [typed, setTyped] = useState(empty);
  const { form, errors, errorCount, showErrors, clearError, showFailure } = useFieldErrors(fields);
  const [endedSessions, setEndedSessions] = useState<number | null>(null);
  const { run, clearFailure, isPending, failure, deadline, secondsLeft } = useAction();
  const queryClient = useQueryClient();

  function change(field: PasswordField, value: string) {
    setTyped((before) => ({ ...before, [field]: value }));
    setEndedSessions(null);
    clearError(field);
  }

  function submit() {
    clearFailure();
    setEndedSessions(null);
    if (showErrors(validate(typed))) return;
    run(() => changePassword(typed), {
      onDone: (result) => {
        setTyped(empty);
        setEndedSessions(result.endedSessions);
        void queryClient.invalidateQueries({ queryKey: sessionsQuery(viewer).queryKey });
      },
      onFailure: showFailure,
    });
  }

  return (
    <Section title="Password">
      <Form
        form={form}
        errorCount={errorCount}
        onSubmit={submit}
        className="grid max-w-90 grid-cols-[minmax(0,1fr)] gap-5"
      >
        {/* Tells a password manager which account's password changes. */}
        <input hidden readOnly name="email" autoComplete="username" value={person.email} />
        <Field label="Current password" error={errors.current_password}>
          <PasswordInput
            name="current_password"
            autoComplete="current-password"
            required
            value={typed.current_password}
            onChange={(event) => change('current_password', event.target.value)}
          />
        </Field>
        <Field
          label="New password"
          help={<PasswordLength length={typed.new_password.length} />}
          error={errors.new_password}
        >
          <PasswordInput
            name="new_password"
            autoComplete="new-password"
            required
            minLength={MIN_PASSWORD_LENGTH}
            value={typed.new_password}
            onChange={(event) => change('new_password', event.target.value)}
          />
        </Field>
        <RateLimitNotice keepsInput deadline={deadline}>
          The number of tries is limited, so that nobody can guess a password.
        </RateLimitNotice>
        {failure && (
          <ActionFailurePanel
            failure={failure}
            notDone="Your password was not changed"
            unknown="It is unknown whether your password was changed"
          />
        )}
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <Button
            type="submit"
            className="max-sm:w-full"
            pending={isPending}
            disabledReason={isPending ? undefined : rateLimitReason(secondsLeft)}
          >
            Change password
          </Button>
          {endedSessions === null && (
            <span className="text-small text-ink-3">Signs you out everywhere else.</span>
          )}
        </div>
        <SuccessMessage>
          {endedSessions === null
            ? null
            : `Your password was changed. ${
                endedSessions === 0
                  ? 'You were not signed in anywhere else.'
                  : `${countSessions(endedSessions)} signed out.`
              }`}
        </SuccessMessage>
      </Form>
    </Section>
  );
}

/** The errors that the form can find without the service. */
function validate(typed: Passwords): FieldErrors<PasswordField> {
  const found: FieldErrors<PasswordField> = {};
  if (typed.current_password === '') found.current_password = 'Enter your current password.';
  if (typed.new_password.length < MIN_PASSWORD_LENGTH) {
    found.new_password = `Use at least ${MIN_PASSWORD_LENGTH} characters.`;
  }
  return found;
}
