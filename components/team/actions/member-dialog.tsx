'use client';

import type { FocusTarget } from '#components/ui/overlays/dialog.tsx';

import { ChangeRole } from './change-role.tsx';
import { LeaveAccount } from './leave-account.tsx';
import type { ShownMemberDialog } from './shown-member-dialog.ts';
import { RemoveMember } from './remove-member.tsx';
import type { MemberDialogOutcome } from './use-member-actions.ts';
import type { Session } from '#lib/contract/people/sessions.ts';

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
