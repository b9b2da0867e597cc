'use client';

import { useState } from 'react';
import { ActionButton } from '#components/shell/actions/action-button.tsx';
import { usePublicAction } from '#components/shell/actions/use-action.ts';
import { ActionProblem } from '#components/shell/feedback/action-problem.tsx';
import { AuthLayout } from '#components/shell/frame/auth-layout.tsx';
import { EmphasizedName } from '#components/shell/identity/emphasized-name.tsx';
import { ButtonLink } from '#components/ui/buttons/button-link.tsx';
import { checkEmailConfirmation, confirmEmail } from '#lib/actions/people/signing-in.ts';
import { LinkDeadline } from '../link/link-deadline.tsx';
import { UnopenedLink } from '../link/unopened-link.tsx';
import { useLink } from '../link/use-link.ts';
import { pathWithEmail } from '../path-with-email.ts';

const title = 'Confirm your email address';

const missing =
  'This page needs the whole link from the email with the subject “Confirm your email address”.';

/** The page that the link to confirm a new address opens. */
export function ConfirmEmail(layout: { host: string; version: string }) {
  const link = useLink({
    kind: 'email_confirmation',
    field: 'confirm_token',
    check: checkEmailConfirmation,
  });
  const { run, ...action } = usePublicAction();
  const [confirmed, setConfirmed] = useState<string | null>(null);
  const { stage } = link;
  if (confirmed !== null) {
    return (
      <AuthLayout
        {...layout}
        title="Your email address was changed"
        sentence={
          <>
            You sign in as <EmphasizedName>{confirmed}</EmphasizedName> from now on. Your current
            sessions stay signed in.
          </>
        }
      >
        <ButtonLink href={pathWithEmail('/sign-in', confirmed)} variant="primary" size="large">
          Go to the dashboard
        </ButtonLink>
      </AuthLayout>
    );
  }
  if (stage.name !== 'open') {
    return (
      <UnopenedLink {...layout} link={link} stage={stage} title={title} missing={missing}>
        <ButtonLink href="/sign-in" size="large">
          Go to the dashboard
        </ButtonLink>
      </UnopenedLink>
    );
  }
  const { email, name, expires_at: expiresAt } = stage.checked;
  return (
    <AuthLayout
      {...layout}
      title={title}
      sentence={
        <>
          <EmphasizedName>{name}</EmphasizedName> wants to sign in as{' '}
          <EmphasizedName>{email}</EmphasizedName>. Confirm only if that is you. The link expires{' '}
          <LinkDeadline value={expiresAt} />.
        </>
      }
    >
      <ActionProblem
        action={action}
        notDone="The address was not confirmed"
        unknown="We could not confirm whether the address was confirmed"
        adviceIfUnknown="If the address was confirmed, the link no longer works, and you can sign in with it."
      />
      <ActionButton
        variant="primary"
        size="large"
        action={action}
        onClick={() =>
          run(confirmEmail, {
            onDone: ({ data }) => setConfirmed(data.email),
            onFailure: (failure, show) => {
              if (!link.refuse(failure)) show(failure);
            },
          })
        }
      >
        Confirm
      </ActionButton>
    </AuthLayout>
  );
}
