'use client';

import { useState } from 'react';
import { AuthLayout } from '#components/shell/frame/auth-layout.tsx';
import { EmphasizedName } from '#components/shell/identity/emphasized-name.tsx';
import { ButtonLink } from '#components/ui/buttons/button-link.tsx';
import { checkPasswordReset } from '#lib/actions/people/signing-in.ts';
import { LinkDeadline } from '../link/link-deadline.tsx';
import { PasswordChanged } from './password-changed.tsx';
import { ResetPasswordForm } from './reset-password-form.tsx';
import { UnopenedLink } from '../link/unopened-link.tsx';
import { useLink } from '../link/use-link.ts';

const title = 'Choose a new password';

const missing =
  'This page needs the whole link from the email with the subject “Choose a new password”.';

/** The page that a link to choose a new password opens. */
export function ResetPassword(layout: { host: string; version: string }) {
  const link = useLink({ kind: 'password_reset', field: 'reset_token', check: checkPasswordReset });
  const [doneFor, setDoneFor] = useState<string | null>(null);
  const { stage } = link;
  if (doneFor !== null) return <PasswordChanged {...layout} email={doneFor} />;
  if (stage.name !== 'open') {
    return (
      <UnopenedLink {...layout} link={link} stage={stage} title={title} missing={missing}>
        <ButtonLink href="/forgot-password" size="large">
          Request a new link
        </ButtonLink>
      </UnopenedLink>
    );
  }
  return (
    <AuthLayout
      {...layout}
      title={title}
      sentence={
        <>
          For <EmphasizedName>{stage.checked.email}</EmphasizedName>. The link expires{' '}
          <LinkDeadline value={stage.checked.expires_at} />.
        </>
      }
    >
      <ResetPasswordForm
        email={stage.checked.email}
        refuse={link.refuse}
        onDone={() => setDoneFor(stage.checked.email)}
      />
    </AuthLayout>
  );
}
