'use client';

import { ConfirmDialog } from '#components/shell/actions/action-dialogs.tsx';
import { useAction } from '#components/shell/actions/use-action.ts';
import { Note } from '#components/ui/feedback/note.tsx';
import { Facts } from '#components/ui/data-display/facts.tsx';
import type { FocusTarget } from '#components/ui/overlays/dialog.tsx';
import { changeMemberRole } from '#lib/actions/people/account.ts';
import type { Member } from '#lib/contract/people/members.ts';
import { type Role, roles, roleTable } from '#lib/contract/rights/roles.ts';

type ChangeRoleProps = {
  member: Member;
  /** The new role. */
  role: Role;
  /** Whether the member is the person who is signed in. */
  isSelf: boolean;
  finalFocus: FocusTarget;
  onClose: () => void;
  onChanged: (member: Member) => void;
};

/** Asks for confirmation before a member gets another role, and says what that role can do. */
export function ChangeRole({
  member,
  role,
  isSelf,
  finalFocus,
  onClose,
  onChanged,
}: ChangeRoleProps) {
  const { run, ...action } = useAction();
  const { label, description } = roleTable[role];
  // The table begins with the strongest role.
  const isLowered = roles.indexOf(role) > roles.indexOf(member.role);

  return (
    <ConfirmDialog
      title={isSelf ? 'Change your own role' : `Change role of ${member.name}`}
      sentence={
        isSelf
          ? 'It applies from your next request on.'
          : `It applies from the next request of ${member.email} on, also on pages that are open.`
      }
      action={action}
      buttons={{ confirm: `Change role to ${label}` }}
      failure={{ adviceIfUnknown: 'Trying again is safe.' }}
      onConfirm={() =>
        run(() => changeMemberRole({ params: { member: member.id }, body: { role } }), {
          onDone: ({ data }) => onChanged(data),
          // They are no longer a member, which the list says.
          onNotFound: onClose,
        })
      }
      onClose={onClose}
      finalFocus={finalFocus}
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
