'use client';

import { Clock, Mail } from 'lucide-react';
import { useRef, useState } from 'react';

import { LinkBox } from '#components/shell/one-time-secret/link-box.tsx';
import { useClearOnLeave } from '#components/shell/one-time-secret/use-clear-on-leave.ts';
import { Button } from '#components/ui/buttons/button.tsx';
import { ExactTime } from '#components/ui/data-display/time.tsx';
import { Note } from '#components/ui/feedback/note.tsx';
import { Dialog, type FocusTarget } from '#components/ui/overlays/dialog.tsx';
import type { Invitation } from '#lib/contract/people/invitations.ts';
import { roleTable } from '#lib/contract/roles.ts';

type InvitationLinkProps = {
  invitation: Invitation;
  /** Remove it from your state in `onClosed`, and store it nowhere else. */
  link: string;
  onClosed: () => void;
  finalFocus: FocusTarget;
};

/**
 * Shows the link of an invitation that was not mailed, once. Only Done, X and Escape close it. The
 * link is gone then, and nobody can show it again; another one replaces it.
 */
export function InvitationLink({ invitation, link, onClosed, finalFocus }: InvitationLinkProps) {
  const { email, role, expires_at: expiresAt } = invitation;
  const [announcement, setAnnouncement] = useState('');
  const copyButton = useRef<HTMLButtonElement>(null);
  useClearOnLeave(onClosed);

  return (
    <Dialog
      open
      onClose={(how) => {
        if (how !== 'outside') onClosed();
      }}
      ignoresOutsidePress
      title={`Invitation link for ${email}`}
      sentence="Nothing was mailed, because this service has no mail server. Send the link yourself."
      initialFocus={copyButton}
      finalFocus={finalFocus}
      footer={
        <>
          <span
            role="status"
            className="mr-auto min-w-0 text-small text-pretty text-ink-3 max-sm:w-full max-sm:empty:hidden"
          >
            {announcement}
          </span>
          <Button variant="primary" onClick={onClosed}>
            Done
          </Button>
        </>
      }
    >
      <LinkBox
        label="Invitation link"
        value={link}
        copyButton={copyButton}
        onAnnounce={setAnnouncement}
      />
      <div className="grid gap-2.5">
        <Note icon={<Mail />}>
          <strong>Send it only to {email}.</strong> Whoever opens it first can join as{' '}
          {roleTable[role].label}.
        </Note>
        <Note icon={<Clock />}>
          It works once, until <ExactTime value={expiresAt} />. It is shown only now: if it is lost,
          make a new link in the list of pending invitations.
        </Note>
      </div>
    </Dialog>
  );
}
