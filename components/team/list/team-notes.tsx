import { Lock } from 'lucide-react';

import { Note } from '#components/ui/feedback/note.tsx';
import { mayAct, roleTable } from '#lib/contract/rights/roles.ts';

import type { Session } from '#lib/contract/people/sessions.ts';

type RoleNoteProps = Pick<Session, 'account' | 'role'>;

/** Says who can change the team, to those who cannot. */
export function RoleNote({ account, role }: RoleNoteProps) {
  if (mayAct(role, 'team.manage')) return null;
  return (
    <Note icon={<Lock />} className="mb-6 text-small max-sm:mb-4">
      Your role, {roleTable[role].label}, lets you view the team but not change it. An owner or an
      admin of {account.name} can change it.
    </Note>
  );
}

/** Below the table: why the person cannot leave. */
export function OnlyOwnerNote() {
  return (
    <Note className="mt-4 text-small">
      You are the only owner. To leave this account or change your own role, make another member an
      owner first.
    </Note>
  );
}
