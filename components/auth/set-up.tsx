'use client';

import { AuthLayout } from '#components/shell/frame/auth-layout.tsx';
import { checkSetUpToken } from '#lib/actions/session.ts';

import { LinkDeadline } from './link-deadline.tsx';
import { SetUpForm } from './set-up-form.tsx';
import { SetUpLinkHelp } from './set-up-link-help.tsx';
import { SignInLink } from './sign-in-link.tsx';
import { UnopenedLink } from './unopened-link.tsx';
import { useLink } from './use-link.ts';

type SetUpProps = {
  host: string;
  version: string;
  /** Whether the first account can still be created. */
  isOpen: boolean;
};

/** The page that a set-up link opens. */
export function SetUp({ host, version, isOpen }: SetUpProps) {
  const link = useLink({ field: 'set_up_token', check: checkSetUpToken });
  const { stage } = link;
  const layout = { host, version };
  switch (stage.name) {
    case 'no link':
      // Once there is an account, the terminal prints no link, and only commands of the operator let
      // people in.
      if (!isOpen) {
        return (
          <AuthLayout
            {...layout}
            title="Nothing to set up here"
            sentence="Sign in. If you have no account yet, ask whoever runs this service to add you."
          >
            <SignInLink />
          </AuthLayout>
        );
      }
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
    case 'open':
      return (
        <AuthLayout
          {...layout}
          title="Create the first account"
          sentence={
            <>
              You become its owner. The set-up link was accepted; it expires{' '}
              <LinkDeadline value={stage.checked.validUntil} />.
            </>
          }
        >
          <SetUpForm token={stage.token} refuse={link.refuse} />
        </AuthLayout>
      );
    case 'reading':
    case 'refused':
    case 'failed':
      return (
        <UnopenedLink {...layout} link={link} stage={stage} title="Create the first account">
          <SignInLink />
        </UnopenedLink>
      );
  }
}
