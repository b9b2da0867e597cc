'use client';

import { useQueryClient } from '@tanstack/react-query';
import { Check } from 'lucide-react';
import { type SubmitEvent, useState, useTransition } from 'react';

import { ErrorPanel } from '#components/shell/feedback/error-panel.tsx';
import { PasswordInput } from '#components/shell/identity/password-input.tsx';
import {
  MIN_PASSWORD_LENGTH,
  PasswordLength,
} from '#components/shell/identity/password-length.tsx';
import {
  type Deadline,
  deadlineAfter,
  RateLimitNotice,
  useSecondsLeft,
  rateLimitReason,
} from '#components/shell/feedback/rate-limit-notice.tsx';
import { Section } from '#components/shell/page/section.tsx';
import {
  isIdentityPromptCancelled,
  useRunAction,
} from '#components/shell/actions/use-run-action.ts';
import { Button } from '#components/ui/buttons/button.tsx';
import { Field } from '#components/ui/inputs/field.tsx';
import { useFirstInvalid } from '#components/ui/inputs/use-first-invalid.ts';
import { type ActionFailure, isOutcomeUnknown } from '#lib/actions/action-result.ts';
import { changePassword } from '#lib/actions/session.ts';
import type { Session } from '#lib/contract/dashboard.ts';
import { sessionsQuery } from '#lib/queries/session.ts';

import { countSessions } from './count-sessions.ts';

type Passwords = { current_password: string; new_password: string };
type FieldErrors = Partial<Record<keyof Passwords, string>>;

const empty: Passwords = { current_password: '', new_password: '' };

/**
 * The form to change one's password. A change signs the person out everywhere but in this browser.
 */
export function ChangePassword({ viewer }: { viewer: Session }) {
  const { person } = viewer;
  const [typed, setTyped] = useState(empty);
  const [errors, setErrors] = useState<FieldErrors>({});
  const [failure, setFailure] = useState<ActionFailure | null>(null);
  const [deadline, setDeadline] = useState<Deadline | null>(null);
  const [endedSessions, setEndedSessions] = useState<number | null>(null);
  const [isPending, startTransition] = useTransition();
  const { form, focusFirstInvalid } = useFirstInvalid();
  const secondsLeft = useSecondsLeft(deadline);
  const queryClient = useQueryClient();
  const runAction = useRunAction();

  function change(part: Partial<Passwords>) {
    setTyped((before) => ({ ...before, ...part }));
    setEndedSessions(null);
    setErrors((before) =>
      Object.fromEntries(Object.entries(before).filter(([name]) => !(name in part))),
    );
  }

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    setFailure(null);
    setEndedSessions(null);
    const missing = validate(typed);
    if (Object.keys(missing).length > 0) {
      showFieldErrors(missing);
      return;
    }
    startTransition(async () => {
      const result = await runAction(() => changePassword(typed));
      if (!result.ok) {
        handleFailure(result);
        return;
      }
      setTyped(empty);
      setEndedSessions(result.endedSessions);
      void queryClient.invalidateQueries({ queryKey: sessionsQuery(viewer).queryKey });
    });
  }

  function handleFailure(result: ActionFailure) {
    if (isIdentityPromptCancelled(result)) return;
    const fieldErrors = fieldErrorsOf(result);
    showFieldErrors(fieldErrors);
    if (result.code === 'RATE_LIMIT_EXCEEDED') setDeadline(deadlineAfter(result.retryAfter));
    else if (Object.keys(fieldErrors).length === 0) setFailure(result);
  }

  function showFieldErrors(found: FieldErrors) {
    setErrors(found);
    focusFirstInvalid();
  }

  return (
    <Section title="Password">
      <form
        ref={form}
        method="post"
        noValidate
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
            onChange={(event) => change({ current_password: event.target.value })}
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
            onChange={(event) => change({ new_password: event.target.value })}
          />
        </Field>
        <RateLimitNotice keepsInput deadline={deadline}>
          The number of tries is limited, so that nobody can guess a password.
        </RateLimitNotice>
        {failure && (
          <ErrorPanel
            title={
              isOutcomeUnknown(failure)
                ? 'It is unknown whether your password was changed'
                : 'Your password was not changed'
            }
            message={failure.message}
            requestId={failure.requestId}
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
        <p role="status" className="flex gap-2 text-pretty empty:hidden">
          {endedSessions !== null && (
            <>
              <Check aria-hidden className="mt-0.5 text-ok-mark" />
              <span>
                Your password is changed.{' '}
                {endedSessions === 0
                  ? 'You were signed in nowhere else.'
                  : `${countSessions(endedSessions)} signed out.`}
              </span>
            </>
          )}
        </p>
      </form>
    </Section>
  );
}

/** The errors that the form can find without the service. */
function validate(typed: Passwords): FieldErrors {
  const found: FieldErrors = {};
  if (typed.current_password === '') found.current_password = 'Give your current password.';
  if (typed.new_password.length < MIN_PASSWORD_LENGTH) {
    found.new_password = `Use at least ${MIN_PASSWORD_LENGTH} characters.`;
  }
  return found;
}

function fieldErrorsOf({ details }: ActionFailure): FieldErrors {
  const found: FieldErrors = {};
  for (const name of ['current_password', 'new_password'] as const) {
    const message = details?.[name]?.[0];
    if (message !== undefined) found[name] = message;
  }
  return found;
}
