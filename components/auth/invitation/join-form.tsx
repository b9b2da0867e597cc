import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { ActionProblem } from '#components/shell/feedback/action-problem.tsx';
import { usePublicForm } from '#components/shell/form/use-form.ts';
import { FixedEmail } from '#components/shell/identity/fixed-email.tsx';
import { newPasswordError } from '#components/shell/identity/password-length.tsx';
import { announceSessionChange } from '#lib/session/session-channel.ts';
import { Form } from '#components/ui/inputs/form/form.tsx';
import type { ActionFailure } from '#lib/actions/action-result.ts';
import { joinAccount } from '#lib/actions/people/signing-in.ts';
import type { InvitationTerms } from '#lib/contract/people/invitations.ts';
import { NewPasswordField } from '../new-password-field.tsx';
import { SubmitButton } from '../submit-button.tsx';
import { useProceedAfterAction } from '../use-proceed-after-action.ts';

type JoinFormProps = {
  terms: InvitationTerms;
  /** Whether the person has already agreed by pressing a button that said so. */
  joinsAtOnce: boolean;
  /** Handles a failure that is about the invitation: it was used, renewed, revoked or expired. */
  refuse: (failure: ActionFailure) => boolean;
  /** Called if the session has ended, or the password was given too long ago. */
  onSignInNeeded: (reason: string) => void;
};

/** Accepts an invitation as the person who is signed in, and opens the account. */
export function JoinForm({ terms, joinsAtOnce, refuse, onSignInNeeded }: JoinFormProps) {
  const { account_name: accountName, email } = terms;
  // Known once the service asks for it.
  const [needsPassword, setNeedsPassword] = useState(false);
  const form = usePublicForm({
    initial: { new_password: '' },
    validate: (typed) => {
      const error = needsPassword ? newPasswordError(typed.new_password) : null;
      return error === null ? {} : { new_password: error };
    },
    send: ({ new_password: password }) =>
      joinAccount({ body: needsPassword ? { new_password: password } : {} }),
    onDone: () => {
      announceSessionChange();
      proceed();
    },
    onFailure: (failure, show) => {
      if (refuse(failure)) return;
      const reason = signInReason(failure);
      if (reason !== null) onSignInNeeded(reason);
      else if (needsPassword || failure.details?.['new_password'] === undefined) show(failure);
      else setNeedsPassword(true);
    },
  });
  // A full load, so that nothing of this page stays in memory. It opens the account.
  const { isProceeding, proceed } = useProceedAfterAction(form.isPending, () =>
    window.location.replace('/'),
  );

  const hasBegun = useRef(false);
  const joinAtOnce = useEffectEvent(() => {
    if (!joinsAtOnce || hasBegun.current) return;
    hasBegun.current = true;
    form.attributes.onSubmit();
  });
  useEffect(() => joinAtOnce(), []);

  return (
    <>
      {needsPassword && (
        <p className="text-pretty text-ink-2">
          We have not verified that {email} is your address. Choose a new password to join. You are
          signed out everywhere else.
        </p>
      )}
      <ActionProblem
        keepsInput={needsPassword}
        action={form}
        notDone={`You did not join ${accountName}`}
        unknown={`We could not confirm whether you joined ${accountName}`}
        adviceIfUnknown="If you joined, the invitation no longer works, and the account opens when you sign in."
      />
      <Form {...form.attributes} className="grid gap-4">
        <FixedEmail email={email} />
        {needsPassword && (
          <NewPasswordField
            label="New password"
            error={form.errors.new_password}
            value={form.values.new_password}
            onChange={(password) => form.change({ new_password: password })}
          />
        )}
        <SubmitButton action={{ ...form, isPending: form.isPending || isProceeding }}>
          Join {accountName}
        </SubmitButton>
      </Form>
    </>
  );
}

function signInReason({ code }: ActionFailure): string | null {
  if (code === 'UNAUTHORIZED') return 'Your session has ended. Sign in again to join.';
  return code === 'PROOF_REQUIRED' ? 'Sign in again to confirm your identity.' : null;
}
