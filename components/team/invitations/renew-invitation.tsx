'use client';

import { ConfirmDialog } from '#components/shell/actions/action-dialogs.tsx';
import { useAction } from '#components/shell/actions/use-action.ts';
import { Facts } from '#components/ui/data-display/facts.tsx';
import type { FocusTarget } from '#components/ui/overlays/dialog.tsx';
import { renewInvitation } from '#lib/actions/people/account.ts';
import type { DeliveredInvitation, Invitation } from '#lib/contract/people/invitations.ts';
import { roleTable } from '#lib/contract/rights/roles.ts';

import type { Renewal } from '../invitation-options.ts';
import { useGuardedInvitation } from './use-guarded-invitation.ts';

type RenewInvitationProps = {
  invitation: Invitation;
  renewal: Renewal;
  finalFocus: FocusTarget;
  onClose: () => void;
  onRenewed: (invitation: DeliveredInvitation) => void;
};

/** Asks for confirmation before the link of an invitation is replaced. */
export function RenewInvitation({
  invitation,
  renewal,
  finalFocus,
  onClose,
  onRenewed,
}: RenewInvitationProps) {
  const { run, ...action } = useAction();
  const guardInvitation = useGuardedInvitation();
  const { email, role, uuid } = invitation;
  const texts = textsOf[renewal];

  return (
    <ConfirmDialog
      title={texts.title(email)}
      sentence={texts.sentence}
      action={action}
      buttons={{ confirm: renewal === 'New link' ? 'Make new link' : renewal }}
      failure={{
        adviceIfUnknown: 'Trying again is safe: the latest link is the one that works.',
        rateLimit: 'The number of invitations an hour is limited.',
      }}
      onConfirm={() =>
        run(() => guardInvitation(() => renewInvitation({ params: { invitation: uuid } })), {
          onDone: ({ data }) => onRenewed(data),
          // It was accepted or revoked, which the list says.
          onNotFound: onClose,
        })
      }
      onClose={onClose}
      finalFocus={finalFocus}
    >
      <Facts facts={[{ label: 'Role', value: roleTable[role].label }]} />
    </ConfirmDialog>
  );
}

const textsOf: Record<Renewal, { title: (email: string) => string; sentence: string }> = {
  Resend: {
    title: (email) => `Resend invitation to ${email}`,
    sentence:
      'Emails a new link, which works once, for 72 hours. The link that was emailed before stops working.',
  },
  'Invite again': {
    title: (email) => `Invite ${email} again`,
    sentence: 'Emails a new link, which works once, for 72 hours.',
  },
  'New link': {
    title: (email) => `New invitation link for ${email}`,
    sentence:
      'The new link is shown once and works once, for 72 hours. The link before it stops working.',
  },
};
