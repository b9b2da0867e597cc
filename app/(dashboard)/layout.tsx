import type { ReactNode } from 'react';

import { Frame } from '#components/shell/frame.tsx';
import { signOut } from '#lib/actions/session.ts';
import { roleTable } from '#lib/contract/roles.ts';
import { requireSession } from '#lib/session.ts';

export default async function DashboardLayout({ children }: { children: ReactNode }) {
  const { account, person, role } = await requireSession();
  return (
    <Frame
      account={{ name: account.name }}
      person={{ name: person.name, email: person.email, roleLabel: roleTable[role].label }}
      signOut={signOut}
    >
      {children}
    </Frame>
  );
}
