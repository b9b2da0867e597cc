import type { ReactNode } from 'react';

import { Frame } from '#components/shell/frame.tsx';
import { signOut } from '#lib/actions/session.ts';
import { requireSession } from '#lib/session.ts';

export default async function DashboardLayout({ children }: { children: ReactNode }) {
  return (
    <Frame session={await requireSession()} signOut={signOut}>
      {children}
    </Frame>
  );
}
