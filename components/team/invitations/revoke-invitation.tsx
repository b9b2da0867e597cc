'use client';

import { ConfirmDialog } from '#components/shell/actions/action-dialogs.tsx';
import { useAction } from '#components/shell/actions/use-action.ts';
import type { FocusTarget } from '#components/ui/overlays/dialog.tsx';
import { revokeInvitation } from '#lib/actions/people/account.ts';
import type { Invitation } from '#lib/contract/people/invitations.ts';

type RevokeInvitationProps = {
  invitation: Invitation;
  accountName: string;
  finalFocus: FocusTarget;
  onClose: () => void;
  onRevoked: () => void;
};

/** Asks for confirmation before an invitation is revoked. */
export function RevokeInvitation({
  invitation,
  accountName,
  finalFocus,
  onClose,
  onRevoked,
}: RevokeInvitationProps) {
  const { run, ...action } = useAction();
  const { email, uuid } = invitation;

  return (
    <ConfirmDialog
      title={`Revoke invitation for ${email}`}
      sentence={`The link stops working at once, and ${email} can no longer join ${accountName} with it.`}
      action={action}
      buttons={{ confirm: 'Revoke invitation', tone: 'danger' }}
      failure={{ adviceIfUnknown: 'Trying again is safe.' }}
      onConfirm={() =>
        // It may have been accepted or revoked meanwhile, which the list says.
        run(() => revokeInvitation({ params: { invitation: uuid } }), {
          onDone: onRevoked,
          onNotFound: onClose,
        })
      }
      onClose={onClose}
      finalFocus={finalFocus}
    />
  );
}
