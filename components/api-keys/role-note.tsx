import { Lock } from 'lucide-react';
import { Note } from '#components/ui/feedback/note.tsx';
import { mayAct, type Role, roleTable } from '#lib/contract/rights/roles.ts';

/** What the person's role does not allow and who can do it; nothing for owners and admins. */
export function RoleNote({ role, accountName }: { role: Role; accountName: string }) {
  if (mayAct(role, 'api-keys.create')) return null;
  return (
    <Note icon={<Lock />} className="mb-6 text-small max-sm:mb-4">
      Your role, {roleTable[role].label}, lets you{' '}
      {mayAct(role, 'api-keys.rotate')
        ? 'rotate keys or request a rotation.'
        : 'view keys but not change them.'}{' '}
      An owner or an admin of {accountName} can{' '}
      {mayAct(role, 'api-keys.rotate') ? 'create, edit and revoke' : 'create, rotate and revoke'}{' '}
      keys.
    </Note>
  );
}
