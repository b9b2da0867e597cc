import type { ReactNode } from 'react';

import { Frame } from '#components/shell/frame/frame.tsx';
import { NavigationFocusProvider } from '#components/shell/page/navigation-focus.tsx';
import { requireSession } from '#lib/session.ts';

import { PreloadedAccountFailure } from './lazy-account-failure.tsx';
import { NextPageSkeleton } from './next-page-skeleton.tsx';

/** Every page of an account. Who is no member of it sees none. */
export default async function AccountLayout({ children }: { children: ReactNode }) {
  return (
    <Frame session={await requireSession()} skeleton={<NextPageSkeleton />}>
      <NavigationFocusProvider>{children}</NavigationFocusProvider>
      <PreloadedAccountFailure />
    </Frame>
  );
}
