'use client';

import type { FocusTarget } from '#components/ui/overlays/dialog.tsx';

import { ChangeRole } from './change-role.tsx';
import { LeaveAccount } from './leave-account.tsx';
import type { ShownMemberDialog } from './shown-member-dialog.ts';
import { RemoveMember } from './remove-member.tsx';
import type { MemberDialogOutcome } from './use-member-actions.ts';
import type { Viewer } from '../viewer.ts';

export type MemberDialogProps = {
  shownDialog: ShownMemberDialog;
  viewer: Viewer;
  finalFocus: FocusTarget;
  onClosed: (outcome: MemberDialogOutcome) => void;
};

/** Renders the dialog that is open for a member. */
export function MemberDialog({ shownDialog, viewer, finalFocus, onClosed }: MemberDialogProps) {
  const { member } = shownDialog;
  const close = () => onClosed({ kind: 'cancelled' });
  switch (shownDialog.kind) {
    case 'change-role':
      return (
        <ChangeRole
          member={member}
          role={shownDialog.role}
          isSelf={member.id === viewer.person.id}
          finalFocus={finalFocus}
          onClose={close}
          onChanged={(changed) => onClosed({ kind: 'role-changed', member: changed })}
        />
      );
    case 'remove':
      return (
        <RemoveMember
          member={member}
          account={viewer.account}
          finalFocus={finalFocus}
          onClose={close}
          onRemoved={() => onClosed({ kind: 'removed', member })}
        />
      );
    case 'leave':
      return (
        <LeaveAccount
          accountName={viewer.account.name}
          isOnlyAccount={viewer.accounts.length === 1 && !viewer.is_installation_support}
          finalFocus={finalFocus}
          onClose={close}
        />
      );
  }
}
