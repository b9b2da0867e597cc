'use client';

import { useState } from 'react';

import { AuthLayout } from '#components/shell/frame/auth-layout.tsx';
import { ButtonLink } from '#components/ui/buttons/button-link.tsx';
import { checkPasswordReset } from '#lib/actions/password-resets.ts';

import { LinkDeadline } from './link-deadline.tsx';
import { ResetPasswordForm } from './reset-password-form.tsx';
import { UnopenedLink } from './unopened-link.tsx';
import { useLink } from './use-link.ts';
import { withEmail } from './with-email.ts';

const title = 'Choose a new password';

/** The page that a link to choose a new password opens. */
export function ResetPassword(layout: { host: string; version: string }) {
  const link = useLink({ field: 'reset_token', check: checkPasswordReset });
  const [doneFor, setDoneFor] = useState<string | null>(null);
  const { stage } = link;
  if (doneFor !== null) {
    return (
      <AuthLayout
        {...layout}
        title="Your password is changed"
        sentence="You were signed out everywhere. Sign in with the new password."
      >
        <ButtonLink href={withEmail('/sign-in', doneFor)} variant="primary" size="large">
          Go to sign-in
        </ButtonLink>
      </AuthLayout>
    );
  }
  switch (stage.name) {
    case 'open':
      return (
        <AuthLayout
          {...layout}
          title={title}
          sentence={
            <>
              For{' '}
              <strong className="font-medium wrap-anywhere text-ink">{stage.checked.email}</strong>.
              The link expires <LinkDeadline value={stage.checked.expiresAt} />.
            </>
          }
        >
          <ResetPasswordForm
            token={stage.token}
            email={stage.checked.email}
            refuse={link.refuse}
            onDone={() => setDoneFor(stage.checked.email)}
          />
        </AuthLayout>
      );
    case 'no link':
      return (
        <AuthLayout
          {...layout}
          title="Open the link of the mail"
          sentence="This page needs the whole link of a mail with the subject “Choose a new password”."
        >
          <NewLink />
        </AuthLayout>
      );
    case 'reading':
    case 'refused':
    case 'failed':
      return (
        <UnopenedLink {...layout} link={link} stage={stage} title={title}>
          <NewLink />
        </UnopenedLink>
      );
  }
}

function NewLink() {
  return (
    <ButtonLink href="/forgot-password" size="large">
      Ask for a new link
    </ButtonLink>
  );
}
