'use client';

import { KeyRound, ScrollText, UserPlus } from 'lucide-react';
import { useState } from 'react';

import { ConfirmDialog } from '#components/shell/actions/action-dialogs.tsx';
import { useAction } from '#components/shell/actions/use-action.ts';
import { announceSessionChange } from '#lib/session/session-channel.ts';
import { endSessionHere, leaveForSignIn } from '#components/shell/identity/sign-out/sign-out.ts';
import { Note } from '#components/ui/feedback/note.tsx';
import type { FocusTarget } from '#components/ui/overlays/dialog.tsx';
import { leaveAccount } from '#lib/actions/people/account.ts';
import { catchFailedCall } from '#lib/actions/catch-failed-call.ts';

type LeaveAccountProps = {
  accountName: string;
  /** Whether the person belongs to no other account. */
  isOnlyAccount: boolean;
  finalFocus: FocusTarget;
  onClose: () => void;
};

/** Asks for confirmation before the person leaves the account. */
export function LeaveAccount({
  accountName,
  isOnlyAccount,
  finalFocus,
  onClose,
}: LeaveAccountProps) {
  const { run, ...action } = useAction();
  const [isLeaving, setIsLeaving] = useState(false);

  async function leavePage(hasOtherAccounts: boolean) {
    setIsLeaving(true);
    if (!hasOtherAccounts) {
      // The service has ended the session already: without network, only its cookie stays.
      await catchFailedCall(endSessionHere());
      leaveForSignIn();
      return;
    }
    announceSessionChange();
    // A full page load, so that no data of this account stays in memory.
    window.location.replace('/');
  }

  return (
    <ConfirmDialog
      title={`Leave ${accountName}`}
      sentence={
        isOnlyAccount
          ? 'You lose access immediately, and are signed out: it is your only account.'
          : 'You lose access immediately. You keep your other accounts.'
      }
      action={{ ...action, isPending: action.isPending || isLeaving }}
      buttons={{ tone: 'danger' }}
      onConfirm={() =>
        run(leaveAccount, { onDone: ({ data }) => leavePage(data.has_other_accounts) })
      }
      onClose={onClose}
      finalFocus={finalFocus}
    >
      <div className="grid gap-2.5">
        <Note icon={<UserPlus />}>You can come back only if you are added again.</Note>
        <Note icon={<KeyRound />}>
          <strong>Keys and webhooks you created keep working.</strong> These belong to the account.
        </Note>
        <Note icon={<ScrollText />}>The audit log keeps your name and past entries.</Note>
      </div>
    </ConfirmDialog>
  );
}
