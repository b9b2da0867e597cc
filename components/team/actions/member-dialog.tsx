import { KeyRound, ScrollText, UserPlus } from 'lucide-react';
import { useState } from 'react';
import { ConfirmDialog, type DialogClosing } from '#components/shell/actions/action-dialogs.tsx';
import { useAction } from '#components/shell/actions/use-action.ts';
import { endSessionHere, leaveForSignIn } from '#components/shell/identity/sign-out/sign-out.ts';
import { Facts } from '#components/ui/data-display/facts.tsx';
import { Note } from '#components/ui/feedback/note.tsx';
import type { FocusTarget } from '#components/ui/overlays/dialog.tsx';
import { catchFailedCall } from '#lib/actions/catch-failed-call.ts';
import { changeMemberRole, leaveAccount } from '#lib/actions/people/account.ts';
import type { Member } from '#lib/contract/people/members.ts';
import type { Session } from '#lib/contract/people/sessions.ts';
import { type Role, roles, roleTable } from '#lib/contract/rights/roles.ts';
import { announceSessionChange } from '#lib/session/session-channel.ts';
import { RemoveMember } from './remove-member.tsx';
import type { MemberDialogOutcome, ShownMemberDialog } from './use-member-actions.ts';

export type MemberDialogProps = {
  shownDialog: ShownMemberDialog;
  session: Session;
  finalFocus: FocusTarget;
  onClosed: (outcome: MemberDialogOutcome) => void;
};

/** Renders the dialog that is open for a member. */
export function MemberDialog({ shownDialog, session, finalFocus, onClosed }: MemberDialogProps) {
  const { member } = shownDialog;
  const shared = { finalFocus, onClose: () => onClosed({ kind: 'cancelled' }) };
  switch (shownDialog.kind) {
    case 'change-role':
      return (
        <ChangeRole
          member={member}
          role={shownDialog.role}
          isSelf={member.id === session.person.id}
          {...shared}
          onChanged={(changed) => onClosed({ kind: 'role-changed', member: changed })}
        />
      );
    case 'remove':
      return (
        <RemoveMember
          member={member}
          account={session.account}
          {...shared}
          onRemoved={() => onClosed({ kind: 'removed', member })}
        />
      );
    case 'leave':
      return (
        <LeaveAccount
          accountName={session.account.name}
          isOnlyAccount={session.accounts.length === 1 && !session.is_installation_support}
          {...shared}
        />
      );
  }
}

type LeaveAccountProps = DialogClosing & {
  accountName: string;
  /** Whether the person belongs to no other account. */
  isOnlyAccount: boolean;
};

/** The confirmation dialog before the person leaves the account. */
function LeaveAccount({ accountName, isOnlyAccount, ...dialog }: LeaveAccountProps) {
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
      {...dialog}
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

type ChangeRoleProps = DialogClosing & {
  member: Member;
  role: Role;
  /** Whether the member is the person who is signed in. */
  isSelf: boolean;
  onChanged: (member: Member) => void;
};

/** The confirmation dialog before a member gets another role. Shows what that role can do. */
function ChangeRole({ member, role, isSelf, onChanged, ...dialog }: ChangeRoleProps) {
  const { run, ...action } = useAction();
  const { label, description } = roleTable[role];
  // The table begins with the strongest role.
  const isLowered = roles.indexOf(role) > roles.indexOf(member.role);

  return (
    <ConfirmDialog
      title={isSelf ? 'Change your own role' : `Change role of ${member.name}`}
      sentence={
        isSelf
          ? 'It takes effect with your next request.'
          : `It takes effect with the next request of ${member.email}, including on pages that are already open.`
      }
      action={action}
      buttons={{ confirm: `Change role to ${label}` }}
      failure={{ adviceIfUnknown: 'Trying again is safe.' }}
      onConfirm={() =>
        run(() => changeMemberRole({ params: { member: member.id }, body: { role } }), {
          onDone: ({ data }) => onChanged(data),
          // They are no longer a member, which the list shows.
          onNotFound: dialog.onClose,
        })
      }
      {...dialog}
    >
      <Facts
        facts={[
          { label: 'Now', value: roleTable[member.role].label },
          {
            label: 'New role',
            value: (
              <>
                {label}
                <span className="block text-small text-pretty text-ink-3">{description}</span>
              </>
            ),
          },
        ]}
      />
      {role === 'owner' && (
        <Note>Owners can change the role of every owner and remove them, including you.</Note>
      )}
      {isLowered && !isSelf && (
        <Note>Tokens and signing secrets that were shown to {member.name} keep working.</Note>
      )}
      {isLowered && isSelf && (
        <Note>
          You cannot undo this yourself.{' '}
          {member.role === 'owner' ? 'Another owner' : 'An owner or another admin'} can.
        </Note>
      )}
    </ConfirmDialog>
  );
}
