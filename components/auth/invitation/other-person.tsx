'use client';

import { ActionButton } from '#components/shell/actions/action-button.tsx';
import { usePublicAction } from '#components/shell/actions/use-action.ts';
import { endSessionHere } from '#components/shell/identity/sign-out/sign-out.ts';
import { SignOutFailure } from '#components/shell/identity/sign-out/sign-out-failure.tsx';

type OtherPersonProps = {
  /** Whom the invitation is for. */
  email: string;
  signedIn: string | null;
  onSignedOut: () => void;
};

/** Says that somebody else is signed in in this browser, who has to sign out first. */
export function OtherPerson({ email, signedIn, onSignedOut }: OtherPersonProps) {
  const { runInBackground, ...action } = usePublicAction();
  return (
    <>
      <p className="text-pretty wrap-anywhere">
        You are signed in as <strong className="font-medium">{signedIn}</strong>. This invitation is
        for <strong className="font-medium">{email}</strong>. To accept it, sign out first.
      </p>
      {action.failure && <SignOutFailure failure={action.failure} />}
      <ActionButton
        size="large"
        variant="primary"
        action={action}
        onClick={() => void runInBackground(endSessionHere, { onDone: onSignedOut })}
      >
        Sign out
      </ActionButton>
    </>
  );
}
