'use client';

import { useState } from 'react';
import { ActionButton } from '#components/shell/actions/action-button.tsx';
import { usePublicAction } from '#components/shell/actions/use-action.ts';
import { ActionProblem } from '#components/shell/feedback/action-problem.tsx';
import { AuthLayout } from '#components/shell/frame/auth-layout.tsx';
import { EmphasizedName } from '#components/shell/identity/emphasized-name.tsx';
import { checkEmailRevocation, revokeEmailChange } from '#lib/actions/people/signing-in.ts';
import type { RouteResponseBody } from '#lib/contract/route.ts';
import type { Routes } from '#lib/contract/routes.ts';
import { LinkDeadline } from '../link/link-deadline.tsx';
import { PasswordChanged } from '../password-reset/password-changed.tsx';
import { ResetPasswordForm } from '../password-reset/reset-password-form.tsx';
import { SignInLink } from '../sign-in/sign-in-link.tsx';
import { UnopenedLink } from '../link/unopened-link.tsx';
import { useLink } from '../link/use-link.ts';

const title = 'Undo the change of your email address?';

type Revoked = { email: string; isDone: boolean };

const missing =
  'This page needs the whole link from the email with the subject “Your email address is about to change”.';

/** The page with which the previous address undoes a change of the email. */
export function RevokeEmailChange(layout: { host: string; version: string }) {
  const link = useLink({
    kind: 'email_revocation',
    field: 'revoke_token',
    check: checkEmailRevocation,
  });
  const { run, ...action } = usePublicAction();
  const [revoked, setRevoked] = useState<Revoked | null>(null);
  const { stage } = link;
  if (revoked?.isDone) return <PasswordChanged {...layout} email={revoked.email} />;
  if (revoked) {
    return (
      <AuthLayout
        {...layout}
        title="Choose a new password"
        sentence={
          <>
            <EmphasizedName>{revoked.email}</EmphasizedName> is your email address. You are signed
            out everywhere, and the old password no longer works.
          </>
        }
      >
        <ResetPasswordForm
          email={revoked.email}
          refuse={() => false}
          onDone={() => setRevoked({ ...revoked, isDone: true })}
        />
      </AuthLayout>
    );
  }
  if (stage.name !== 'open') {
    return (
      <UnopenedLink {...layout} link={link} stage={stage} title={title} missing={missing}>
        <SignInLink />
      </UnopenedLink>
    );
  }
  return (
    <AuthLayout {...layout} title={title} sentence={<Question change={stage.checked} />}>
      <ActionProblem
        action={action}
        notDone="The change was not undone"
        unknown="We could not confirm whether the change was undone"
        adviceIfUnknown="If the change was undone, the link no longer works. Then choose a new password with “Forgot your password?” on the sign-in page."
      />
      <ActionButton
        variant="danger"
        size="large"
        action={action}
        onClick={() =>
          run(revokeEmailChange, {
            onDone: ({ data }) => setRevoked({ ...data, isDone: false }),
            onFailure: (failure, show) => {
              if (!link.refuse(failure)) show(failure);
            },
          })
        }
      >
        This wasn’t me: {stage.checked.is_changed ? 'undo the change' : 'cancel the change'}
      </ActionButton>
      <p className="text-small text-pretty text-ink-3">
        This signs you out everywhere and lets you choose a new password. If you changed the address
        yourself, close this page.
      </p>
    </AuthLayout>
  );
}

type RevocableChange = RouteResponseBody<Routes['checkEmailRevocation']>['data'];

function Question({ change }: { change: RevocableChange }) {
  const { email, new_email: newEmail, is_changed: isChanged, expires_at: expiresAt } = change;
  return (
    <>
      Someone who was signed in as you {isChanged ? 'replaced' : 'asked to replace'}{' '}
      <EmphasizedName>{email}</EmphasizedName> with <EmphasizedName>{newEmail}</EmphasizedName>. You
      can undo that until <LinkDeadline value={expiresAt} />.
    </>
  );
}
