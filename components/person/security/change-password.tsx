'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { FieldErrors } from '#components/shell/form/group-errors-by-field.ts';
import { SectionForm } from '#components/shell/form/section-form.tsx';
import { useForm } from '#components/shell/form/use-form.ts';
import { PasswordInput } from '#components/shell/identity/password-input.tsx';
import {
  minPasswordLength,
  newPasswordError,
  PasswordLength,
} from '#components/shell/identity/password-length.tsx';
import { Section } from '#components/shell/page/section.tsx';
import { Field } from '#components/ui/inputs/form/field.tsx';
import { changePassword } from '#lib/actions/people/person.ts';
import type { Session } from '#lib/contract/people/sessions.ts';
import { routeQuery } from '#lib/queries/route-query.ts';
import { countSessions } from './count-sessions.ts';

const empty = { current_password: '', new_password: '' };

/** Changes one's password, which signs the person out everywhere but in this browser. */
export function ChangePassword({ session }: { session: Session }) {
  const { person } = session;
  const [endedSessions, setEndedSessions] = useState<number | null>(null);
  const queryClient = useQueryClient();
  const form = useForm({
    initial: empty,
    validate: findErrors,
    send: (body) => changePassword({ body }),
    onDone: ({ data }) => {
      form.change(empty);
      setEndedSessions(data.ended_sessions);
      void queryClient.invalidateQueries({
        queryKey: routeQuery(session, 'listSessions').queryKey,
      });
    },
  });
  const { values, errors } = form;

  function change(part: Partial<typeof empty>) {
    form.change(part);
    setEndedSessions(null);
  }

  return (
    <Section title="Password">
      <SectionForm
        form={form}
        rateLimit="For security, the number of attempts is limited."
        notDone="Your password was not changed"
        unknown="We could not confirm whether your password was changed"
        submit="Change password"
        note="Signs you out everywhere else."
        success={
          endedSessions === null || form.attributes.errorCount > 0
            ? null
            : describeChange(endedSessions)
        }
        className="max-w-90"
      >
        {/* Tells a password manager which account's password changes. */}
        <input hidden readOnly name="email" autoComplete="username" value={person.email} />
        <Field label="Current password" error={errors.current_password}>
          <PasswordInput
            name="current_password"
            autoComplete="current-password"
            required
            value={values.current_password}
            onChange={(event) => change({ current_password: event.target.value })}
          />
        </Field>
        <Field
          label="New password"
          help={<PasswordLength length={values.new_password.length} />}
          error={errors.new_password}
        >
          <PasswordInput
            name="new_password"
            autoComplete="new-password"
            required
            minLength={minPasswordLength}
            value={values.new_password}
            onChange={(event) => change({ new_password: event.target.value })}
          />
        </Field>
      </SectionForm>
    </Section>
  );
}

function describeChange(endedSessions: number): string {
  const ended =
    endedSessions === 0
      ? 'You were not signed in anywhere else.'
      : `${countSessions(endedSessions)} signed out.`;
  return `Your password was changed. ${ended}`;
}

/** The errors that the form can find without the service. */
function findErrors(typed: typeof empty): FieldErrors<keyof typeof empty> {
  const newError = newPasswordError(typed.new_password);
  return {
    ...(typed.current_password === '' && { current_password: 'Enter your current password.' }),
    ...(newError !== null && { new_password: newError }),
  };
}
