'use client';

import { AuthLayout } from '#components/shell/frame/auth-layout.tsx';
import { checkSetUpToken } from '#lib/actions/people/signing-in.ts';
import { LinkDeadline } from '../link/link-deadline.tsx';
import { SetUpForm } from './set-up-form.tsx';
import { SetUpLinkHelp } from './set-up-link-help.tsx';
import { SignInLink } from '../sign-in/sign-in-link.tsx';
import { UnopenedLink } from '../link/unopened-link.tsx';
import { useLink } from '../link/use-link.ts';

type SetUpProps = {
  host: string;
  version: string;
  /** Whether the first account can still be created. */
  isOpen: boolean;
};

export function SetUp({ host, version, isOpen }: SetUpProps) {
  const link = useLink({ kind: 'set_up', field: 'set_up_token', check: checkSetUpToken });
  const { stage } = link;
  const layout = { host, version };
  if (stage.name === 'no-link' && isOpen) {
    return (
      <AuthLayout
        {...layout}
        title="Open the set-up link"
        sentence="This page needs the whole set-up link, from the terminal that runs the service."
      >
        <SetUpLinkHelp />
        <SignInLink />
      </AuthLayout>
    );
  }
  if (stage.name !== 'open') {
    return (
      <UnopenedLink
        {...layout}
        link={link}
        stage={stage}
        title="Create the first account"
        // Once there is an account, only commands of the operator let people in, without a link.
        missingTitle="This service is already set up"
        missing="Sign in. If you have no account yet, ask your administrator to add you."
      >
        <SignInLink />
      </UnopenedLink>
    );
  }
  return (
    <AuthLayout
      {...layout}
      title="Create the first account"
      sentence={
        <>
          You become its owner. The set-up link was accepted; it expires{' '}
          <LinkDeadline value={stage.checked.valid_until} />.
        </>
      }
    >
      <SetUpForm refuse={link.refuse} />
    </AuthLayout>
  );
}
