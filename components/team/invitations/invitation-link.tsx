'use client';

import { Clock, Mail } from 'lucide-react';

import { LinkBox } from '#components/shell/one-time-secret/link-box.tsx';
import { OneTimeDialog } from '#components/shell/one-time-secret/one-time-dialog.tsx';
import { ExactTime } from '#components/ui/data-display/time.tsx';
import { Note } from '#components/ui/feedback/note.tsx';
import type { FocusTarget } from '#components/ui/overlays/dialog.tsx';
import type { Invitation } from '#lib/contract/people/invitations.ts';
import { roleTable } from '#lib/contract/rights/roles.ts';

type InvitationLinkProps = {
  invitation: Invitation;
  /** Remove it from your state in `onClosed`, and store it nowhere else. */
  link: string;
  onClosed: () => void;
  finalFocus: FocusTarget;
};

/**
 * Shows the link of an invitation that was not emailed, once. Nobody can show it again; another one
 * replaces it.
 */
export function InvitationLink({ invitation, link, onClosed, finalFocus }: InvitationLinkProps) {
  const { email, role, expires_at: expiresAt } = invitation;
  return (
    <OneTimeDialog
      title={`Invitation link for ${email}`}
      sentence="No email was sent, because this service has no mail server. Send the link yourself."
      noun="link"
      closeWarning={`The link for ${email} cannot be shown again. You can make a new one in the list of pending invitations.`}
      onClosed={onClosed}
      finalFocus={finalFocus}
    >
      {({ isClosed, ...dialog }) => (
        <>
          <LinkBox label="Invitation link" value={isClosed ? '' : link} {...dialog} />
          <div className="grid gap-2.5">
            <Note icon={<Mail />}>
              <strong>Send it only to {email}.</strong> Whoever opens it first can join as{' '}
              {roleTable[role].label}.
            </Note>
            <Note icon={<Clock />}>
              It works once, until <ExactTime value={expiresAt} />. It is shown only now: if it is
              lost, make a new link in the list of pending invitations.
            </Note>
          </div>
        </>
      )}
    </OneTimeDialog>
  );
}
