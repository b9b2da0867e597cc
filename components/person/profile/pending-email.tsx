'use client';

import { MailQuestionMark } from 'lucide-react';

import { ActionButton } from '#components/shell/actions/action-button.tsx';
import { useAction } from '#components/shell/actions/use-action.ts';
import { ActionFailurePanel } from '#components/shell/feedback/action-failure-panel.tsx';
import { RateLimitNotice } from '#components/shell/feedback/rate-limit-notice.tsx';
import { EmphasizedName } from '#components/shell/identity/emphasized-name.tsx';
import { ExactTime } from '#components/ui/data-display/time.tsx';
import { Note } from '#components/ui/feedback/note.tsx';
import { cancelEmailChange } from '#lib/actions/people/person.ts';
import type { EmailChange } from '#lib/contract/people/email-changes.ts';

type PendingEmailProps = {
  pending: NonNullable<EmailChange['pending']>;
  onCancelled: (message: string) => Promise<void>;
};

/**
 * A change of the person's email address that the new address has not confirmed yet, with a button
 * to cancel it.
 */
export function PendingEmail({ pending, onCancelled }: PendingEmailProps) {
  const { run, ...action } = useAction();
  return (
    <div className="grid gap-3 rounded-2 border border-line p-4">
      <Note icon={<MailQuestionMark />}>
        <EmphasizedName>{pending.email}</EmphasizedName> must confirm until{' '}
        <ExactTime value={pending.expires_at} />, with the link that{' '}
        {pending.is_mailed
          ? 'was emailed to it.'
          : 'is in the outbox: this service cannot send email. Ask its operator for the link.'}
      </Note>
      <RateLimitNotice deadline={action.deadline} />
      {action.failure && (
        <ActionFailurePanel
          failure={action.failure}
          notDone="The change was not cancelled"
          unknown="We could not confirm whether the change was cancelled"
          adviceIfUnknown="Trying again is safe."
        />
      )}
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
