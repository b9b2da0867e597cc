'use client';

import { useState } from 'react';

import type { FocusTarget } from '#components/ui/overlays/dialog.tsx';
import type { DeliveredInvitation } from '#lib/contract/people/invitations.ts';

import type { Session } from '#lib/contract/people/sessions.ts';
import { InvitationForm } from './invitation-form.tsx';
import { InvitationLink } from './invitation-link.tsx';
import type { ShownInvitationDialog } from './shown-invitation-dialog.ts';
import { RenewInvitation } from './renew-invitation.tsx';
import { RevokeInvitation } from './revoke-invitation.tsx';
import type { InvitationDialogOutcome } from './use-invitation-actions.ts';

export type InvitationDialogProps = {
  shownDialog: ShownInvitationDialog;
  session: Session;
  /** Who has the role Support already: "Ida and Tom"; null: nobody. */
  supportMembers: string | null;
  finalFocus: FocusTarget;
  onClosed: (outcome: InvitationDialogOutcome) => void;
};

/**
 * Renders the dialog that is open about invitations. A link that was not emailed is in its state
 * only.
 */
export function InvitationDialog({
  shownDialog,
  session,
  supportMembers,
  finalFocus,
  onClosed,
}: InvitationDialogProps) {
  const [shown, setShown] = useState<(DeliveredInvitation & { link: string }) | null>(null);
  const shared = { finalFocus, onClose: () => onClosed({ kind: 'cancelled' }) };

  function deliver(delivered: DeliveredInvitation) {
    const { link, ...invitation } = delivered;
    if (link !== null) setShown({ ...invitation, link });
    else onClosed({ kind: 'mailed', email: invitation.email });
  }

  if (shown !== null) {
    const { link, ...invitation } = shown;
    return (
      <InvitationLink
        invitation={invitation}
        link={link}
        onClosed={() => {
          setShown(null);
          onClosed({ kind: 'link-shown' });
        }}
        finalFocus={finalFocus}
      />
    );
  }
  switch (shownDialog.kind) {
    case 'invite':
      return (
        <InvitationForm
          session={session}
          supportMembers={supportMembers}
          {...shared}
          onInvited={deliver}
        />
      );
    case 'renew':
      return (
        <RenewInvitation
          invitation={shownDialog.invitation}
          renewal={shownDialog.renewal}
          {...shared}
          onRenewed={deliver}
        />
      );
    case 'revoke': {
      const { invitation } = shownDialog;
      return (
        <RevokeInvitation
          invitation={invitation}
          accountName={session.account.name}
          {...shared}
          onRevoked={() => onClosed({ kind: 'revoked', invitation })}
        />
      );
    }
  }
}
