import type { ReactNode } from 'react';
import { Button } from '#components/ui/buttons/button.tsx';
import { Dialog } from '#components/ui/overlays/dialog.tsx';
import { ActionButton } from '../actions/action-button.tsx';
import { SignOutFailure } from './sign-out/sign-out-failure.tsx';
import { useSignOut } from './sign-out/use-sign-out.ts';

/** Why a page can only be left, and where the person can go. */
export type ReasonToLeave = {
  title: string;
  sentence: ReactNode;
  action: string;
  href: string;
};

/** Blocks the page. The person can only go to `href` or sign out. */
export function LeavePageDialog({ title, sentence, action, href }: ReasonToLeave) {
  const { signOut, action: signingOut } = useSignOut();
  return (
    <Dialog
      open
      onClose={() => undefined}
      role="alertdialog"
      size="narrow"
      hasCloseButton={false}
      title={title}
      sentence={sentence}
      footer={
        <>
          <ActionButton action={signingOut} onClick={signOut}>
            Sign out
          </ActionButton>
          {/* A full page load, so that no data stays in memory. */}
          <Button variant="primary" onClick={() => window.location.assign(href)}>
            {action}
          </Button>
        </>
      }
    >
      {signingOut.failure ? <SignOutFailure failure={signingOut.failure} /> : undefined}
    </Dialog>
  );
}
