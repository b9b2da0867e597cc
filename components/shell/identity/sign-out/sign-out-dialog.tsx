import type { FocusTarget } from '#components/ui/overlays/dialog.tsx';
import { ConfirmDialog } from '../../actions/action-dialogs.tsx';
import { SignOutFailure } from './sign-out-failure.tsx';
import type { SigningOut } from './use-sign-out.ts';

export type SignOutDialogProps = {
  signingOut: SigningOut;
  /** The button or menu with which the person wanted to sign out. */
  finalFocus: FocusTarget;
};

/** Shows that the sign-out failed, so the person may still be signed in, and tries again. */
export function SignOutDialog({ signingOut, finalFocus }: SignOutDialogProps) {
  const { signOut, action, dismissFailure } = signingOut;
  return (
    <ConfirmDialog
      title="Sign out"
      sentence="Ends your session in this browser."
      action={action}
      buttons={{ confirm: 'Try again' }}
      failure={action.failure && <SignOutFailure failure={action.failure} />}
      onConfirm={signOut}
      onClose={dismissFailure}
      finalFocus={finalFocus}
    />
  );
}
