import { Clock, Mail } from 'lucide-react';
import { type RefObject, useId, useRef, useState } from 'react';
import { ConfirmDialog, type DialogClosing } from '#components/shell/actions/action-dialogs.tsx';
import { useAction } from '#components/shell/actions/use-action.ts';
import { OneTimeDialog } from '#components/shell/one-time-secret/one-time-dialog.tsx';
import {
  recorderAttributes,
  recorderClass,
} from '#components/shell/one-time-secret/secret-attributes.ts';
import { SecretText } from '#components/shell/one-time-secret/secret-text.tsx';
import { copySelected, useCopy } from '#components/ui/buttons/use-copy.ts';
import { Facts } from '#components/ui/data-display/facts.tsx';
import { ExactTime } from '#components/ui/data-display/time.tsx';
import { Note } from '#components/ui/feedback/note.tsx';
import type { FocusTarget } from '#components/ui/overlays/dialog.tsx';
import { renewInvitation, revokeInvitation } from '#lib/actions/people/account.ts';
import { cn } from '#lib/class-names/cn.ts';
import type { DeliveredInvitation, Invitation } from '#lib/contract/people/invitations.ts';
import type { Session } from '#lib/contract/people/sessions.ts';
import { roleTable } from '#lib/contract/rights/roles.ts';
import type { Renewal } from '../invitation-options.ts';
import { InvitationForm, useGuardedInvitation } from './invitation-form.tsx';
import type { InvitationDialogOutcome, ShownInvitationDialog } from './use-invitation-actions.ts';

export type InvitationDialogProps = {
  shownDialog: ShownInvitationDialog;
  session: Session;
  /** Who has the role Support already: "Ida and Tom"; null: nobody. */
  supportMembers: string | null;
  finalFocus: FocusTarget;
  onClosed: (outcome: InvitationDialogOutcome) => void;
};

/** The dialog that is open. A link that was not emailed is in its state only. */
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

type RevokeInvitationProps = DialogClosing & {
  invitation: Invitation;
  accountName: string;
  onRevoked: () => void;
};

function RevokeInvitation({
  invitation,
  accountName,
  onRevoked,
  ...dialog
}: RevokeInvitationProps) {
  const { run, ...action } = useAction();
  const { email, uuid } = invitation;

  return (
    <ConfirmDialog
      title={`Revoke invitation for ${email}`}
      sentence={`The link stops working immediately, and ${email} can no longer join ${accountName} with it.`}
      action={action}
      buttons={{ confirm: 'Revoke invitation', tone: 'danger' }}
      failure={{ adviceIfUnknown: 'Trying again is safe.' }}
      onConfirm={() =>
        // It may have been accepted or revoked in the meantime, which the list shows.
        run(() => revokeInvitation({ params: { invitation: uuid } }), {
          onDone: onRevoked,
          onNotFound: dialog.onClose,
        })
      }
      {...dialog}
    />
  );
}

type RenewInvitationProps = DialogClosing & {
  invitation: Invitation;
  renewal: Renewal;
  onRenewed: (invitation: DeliveredInvitation) => void;
};

/** The confirmation dialog before the link of an invitation is replaced. */
function RenewInvitation({ invitation, renewal, onRenewed, ...dialog }: RenewInvitationProps) {
  const { run, ...action } = useAction();
  const guardInvitation = useGuardedInvitation();
  const { email, role, uuid } = invitation;
  const texts = textsOf[renewal];

  return (
    <ConfirmDialog
      title={texts.title(email)}
      sentence={texts.sentence}
      action={action}
      buttons={{ confirm: renewal === 'New link' ? 'Create new link' : renewal }}
      failure={{
        adviceIfUnknown: 'Trying again is safe: the latest link is the one that works.',
        rateLimit: 'The number of invitations an hour is limited.',
      }}
      onConfirm={() =>
        run(() => guardInvitation(() => renewInvitation({ params: { invitation: uuid } })), {
          onDone: ({ data }) => onRenewed(data),
          // It was accepted or revoked, which the list shows.
          onNotFound: dialog.onClose,
        })
      }
      {...dialog}
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

type InvitationLinkProps = {
  invitation: Invitation;
  /** Remove it from your state in `onClosed`, and store it nowhere else. */
  link: string;
  onClosed: () => void;
  finalFocus: FocusTarget;
};

/** Shows the link of an invitation that was not emailed, once; another one replaces it. */
function InvitationLink({ invitation, link, onClosed, finalFocus }: InvitationLinkProps) {
  const { email, role, expires_at: expiresAt } = invitation;
  return (
    <OneTimeDialog
      title={`Invitation link for ${email}`}
      sentence="No email was sent, because this service has no mail server. Send the link yourself."
      noun="link"
      closeWarning={`The link for ${email} cannot be shown again. You can create a new one in the list of pending invitations.`}
      onClosed={onClosed}
      finalFocus={finalFocus}
    >
      {({ isClosed, ...dialog }) => (
        <>
          <LinkBox label="Invitation link" value={isClosed ? '' : link} {...dialog} />
          <div className="grid gap-2.5">
            <Note icon={<Mail />}>
              <strong>Send it only to {email}.</strong> The first person to open it can join as{' '}
              {roleTable[role].label}.
            </Note>
            <Note icon={<Clock />}>
              It works once, until <ExactTime value={expiresAt} />. It is shown only now: if it is
              lost, create a new link in the list of pending invitations.
            </Note>
          </div>
        </>
      )}
    </OneTimeDialog>
  );
}

type LinkBoxProps = {
  label: string;
  /** With a token in its fragment. */
  value: string;
  copyButton: RefObject<HTMLButtonElement | null>;
  /** For the dialog's live region. */
  onAnnounce: (text: string) => void;
};

function LinkBox({ label, value, copyButton, onAnnounce }: LinkBoxProps) {
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const { state, copy } = useCopy();

  async function copyLink() {
    const isCopied = await copy(value);
    if (!isCopied) {
      field.current?.focus();
      field.current?.select();
    }
    onAnnounce(isCopied ? `${label} copied.` : copySelected);
  }

  return (
    <div>
      <label htmlFor={id} className="mb-1.5 block text-small font-medium">
        {label}
      </label>
      <div
        {...recorderAttributes}
        className={cn('rounded-3 border border-line-strong bg-sunken', recorderClass)}
      >
        <SecretText
          id={id}
          value={value}
          field={field}
          copyButton={copyButton}
          copyState={state}
          onCopy={() => void copyLink()}
          columns={value.length}
          className="text-code"
        />
      </div>
    </div>
  );
}
