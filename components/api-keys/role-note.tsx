import { Lock } from 'lucide-react';

import { Note } from '#components/ui/feedback/note.tsx';
import { mayAct, type Role, roleTable } from '#lib/contract/roles.ts';

/** Says what the person's role does not allow and who can do it; nothing for owners and admins. */
export function RoleNote({ role, accountName }: { role: Role; accountName: string }) {
  if (mayAct(role, 'api-keys.create')) return null;
  const label = roleTable[role].label.toLowerCase();
  return (
    <Note icon={<Lock />} className="mb-6 text-small max-sm:mb-4">
      {mayAct(role, 'api-keys.rotate')
        ? `As ${label} you rotate keys, or ask somebody to. `
        : `As ${label} you see keys. `}
      An owner or an admin of {accountName} can{' '}
      {mayAct(role, 'api-keys.rotate') ? 'create, edit and revoke' : 'create, rotate and revoke'}{' '}
      them.
    </Note>
  );
}
