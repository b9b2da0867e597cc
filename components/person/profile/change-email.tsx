'use client';

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { MailQuestionMark } from 'lucide-react';
import { useRef, useState } from 'react';
import { ActionButton } from '#components/shell/actions/action-button.tsx';
import { useAction } from '#components/shell/actions/use-action.ts';
import { ActionProblem } from '#components/shell/feedback/action-problem.tsx';
import { SectionForm } from '#components/shell/form/section-form.tsx';
import { emailError } from '#components/shell/form/text-errors.ts';
import { useForm } from '#components/shell/form/use-form.ts';
import { EmphasizedName } from '#components/shell/identity/emphasized-name.tsx';
import { ReadFailure } from '#components/shell/page/read-failure.tsx';
import { Section } from '#components/shell/page/section.tsx';
import { ExactTime } from '#components/ui/data-display/time.tsx';
import { Note } from '#components/ui/feedback/note.tsx';
import { Field } from '#components/ui/inputs/form/field.tsx';
import { Input } from '#components/ui/inputs/input.tsx';
import { cancelEmailChange, requestEmailChange } from '#lib/actions/people/person.ts';
import type { EmailChange } from '#lib/contract/people/email-changes.ts';
import type { Session } from '#lib/contract/people/sessions.ts';
import { pageRefetchInterval } from '#lib/queries/refetch-interval.ts';
import { routeQuery } from '#lib/queries/route-query.ts';

/** The person's email address, a change that waits for confirmation, and the form for one. */
export function ChangeEmail({ session }: { session: Session }) {
  const { person } = session;
  const query = routeQuery(session, 'getEmailChange');
  const read = useQuery({
    ...query,
    refetchInterval: pageRefetchInterval,
  });
  const { data: change } = read;
  const queryClient = useQueryClient();
  const [message, setMessage] = useState('');
  const section = useRef<HTMLDivElement>(null);

  async function refetchChange(text: string) {
    await queryClient.invalidateQueries({ queryKey: query.queryKey });
    setMessage(text);
    // The pressed button is gone, so the heading takes the focus.
    section.current?.querySelector('h2')?.focus();
  }

  return (
    <div ref={section}>
      <Section title="Email address">
        <p className="text-pretty text-ink-2">
          You sign in as <EmphasizedName>{person.email}</EmphasizedName>.
        </p>
        <ReadFailure
          what="Your email address"
          shown="it"
          noun="the change of your email address"
          read={read}
        />
        {change?.pending ? (
          <PendingEmail pending={change.pending} onCancelled={refetchChange} />
        ) : change?.fixed_until ? (
          <Note>
            You changed it recently. Until <ExactTime value={change.fixed_until} />, your previous
            address can undo this, and you cannot change it again.
          </Note>
        ) : (
          <EmailForm onAsked={refetchChange} />
        )}
        <span role="status" className="text-small text-ink-3 empty:hidden">
          {message}
        </span>
      </Section>
    </div>
  );
}

function EmailForm({ onAsked }: { onAsked: (message: string) => Promise<void> }) {
  const form = useForm({
    initial: { email: '' },
    validate: (typed) => {
      const error = emailError(typed.email, 'Enter the new email address.');
      return error === null ? {} : { email: error };
    },
    send: (body) => requestEmailChange({ body }),
    onDone: async ({ data: { pending } }) => {
      if (pending === null) return;
      await onAsked(
        pending.is_mailed
          ? `We sent ${pending.email} a link to confirm the change, and your current address a link to undo it.`
          : `The change to ${pending.email} is waiting for confirmation. No email was sent.`,
      );
    },
  });

  return (
    <SectionForm
      form={form}
      rateLimit="You can request this only a few times an hour."
      notDone="The change was not requested"
      unknown="We could not confirm whether the change was requested"
      submit="Change email address"
      note="It changes once you confirm the new address."
      success={null}
      className="max-w-90"
    >
      <Field label="New email address" error={form.errors.email}>
        <Input
          name="email"
          type="email"
          autoComplete="email"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          required
          value={form.values.email}
          onChange={(event) => form.change({ email: event.target.value })}
        />
      </Field>
    </SectionForm>
  );
}

type PendingEmailProps = {
  pending: NonNullable<EmailChange['pending']>;
  onCancelled: (message: string) => Promise<void>;
};

/** A change that the new address has not confirmed yet, with a button to cancel it. */
function PendingEmail({ pending, onCancelled }: PendingEmailProps) {
  const { run, ...action } = useAction();
  return (
    <div className="grid gap-3 rounded-2 border border-line p-4">
      <Note icon={<MailQuestionMark />}>
        <EmphasizedName>{pending.email}</EmphasizedName> must confirm by{' '}
        <ExactTime value={pending.expires_at} />, with the link that{' '}
        {pending.is_mailed
          ? 'was emailed to it.'
          : 'is in the outbox: this service cannot send email. Ask your administrator for the link.'}
      </Note>
      <ActionProblem
        action={action}
        notDone="The change was not cancelled"
        unknown="We could not confirm whether the change was cancelled"
        adviceIfUnknown="Trying again is safe."
      />
      <ActionButton
        className="w-fit max-sm:w-full"
        action={action}
        onClick={() =>
          run(cancelEmailChange, {
            onDone: () => onCancelled(`The change to ${pending.email} was cancelled.`),
          })
        }
      >
        Cancel change
      </ActionButton>
    </div>
  );
}
