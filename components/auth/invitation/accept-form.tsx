'use client';

import { ActionFailurePanel } from '#components/shell/feedback/action-failure-panel.tsx';
import { RateLimitNotice } from '#components/shell/feedback/rate-limit-notice.tsx';
import type { FieldErrors } from '#components/shell/form/group-errors-by-field.ts';
import { nameError } from '#components/shell/form/text-errors.ts';
import { usePublicForm } from '#components/shell/form/use-form.ts';
import { FixedEmail } from '#components/shell/identity/fixed-email.tsx';
import { newPasswordError } from '#components/shell/identity/password-length.tsx';
import { announceSessionChange } from '#lib/session/session-channel.ts';
import { Form } from '#components/ui/inputs/form/form.tsx';
import { acceptInvitation } from '#lib/actions/people/signing-in.ts';
import type { ActionFailure } from '#lib/actions/action-result.ts';
import type { InvitationTerms } from '#lib/contract/people/invitations.ts';

import { NameField } from '../name-field.tsx';
import { NewPasswordField } from '../new-password-field.tsx';
import { SubmitButton } from '../submit-button.tsx';
import { useProceedAfterAction } from '../use-proceed-after-action.ts';

type AcceptFormProps = {
  terms: InvitationTerms;
  /**
   * Handles a failure that is about the invitation: it was used, renewed or revoked, or has
   * expired.
   */
  refuse: (failure: ActionFailure) => boolean;
  /** Called if somebody with this email has an account already. */
  onSignInNeeded: (reason: string) => void;
};

/** The form that accepts an invitation with a name and a password, and signs the person in. */
export function AcceptForm({ terms, refuse, onSignInNeeded }: AcceptFormProps) {
  const form = usePublicForm({
    initial: { name: '', password: '' },
    validate: ({ name, password }): FieldErrors<'name' | 'password'> => {
      const wrongName = nameError(name, 'Enter your name.');
      const passwordError = newPasswordError(password);
      return {
        ...(wrongName !== null && { name: wrongName }),
        ...(passwordError !== null && { password: passwordError }),
      };
    },
    send: (body) => acceptInvitation({ body }),
    onDone: () => {
      announceSessionChange();
      proceed();
    },
    onFailure: (failure, show) => {
      if (refuse(failure)) return;
      const reason = failure.details?.['email']?.[0];
      if (reason === undefined) show(failure);
      else onSignInNeeded(reason);
    },
  });
  const { values, change, errors, failure } = form;
  // A full load, so that no data of another person stays in memory. It opens the account.
  const { isProceeding, proceed } = useProceedAfterAction(form.isPending, () =>
    window.location.replace('/'),
  );

  return (
    <>
      <RateLimitNotice keepsInput deadline={form.deadline} />
      {failure && (
        <ActionFailurePanel
          failure={failure}
          notDone={`You did not join ${terms.account_name}`}
          unknown={`We could not confirm whether you joined ${terms.account_name}`}
          adviceIfUnknown="If you joined, the invitation no longer works, and you can sign in with this password."
        />
      )}
      <Form {...form.attributes} className="grid gap-4">
        <FixedEmail email={terms.email} />
        <NameField error={errors.name} value={values.name} onChange={(name) => change({ name })} />
        <NewPasswordField
          label="Password"
          error={errors.password}
          value={values.password}
          onChange={(password) => change({ password })}
        />
        <SubmitButton action={{ ...form, isPending: form.isPending || isProceeding }}>
          Join {terms.account_name}
        </SubmitButton>
      </Form>
    </>
  );
}
