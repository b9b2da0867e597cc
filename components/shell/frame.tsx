'use client';

import { PageRootProvider } from '#components/ui/page-root.ts';
import { accountPath } from '#lib/account-path.ts';

import type { FrameProps } from './frame-props.ts';
import { IdentityCheck } from './identity-check.tsx';
import { PhoneBar } from './phone-bar.tsx';
import { SessionChanged } from './session-changed.tsx';
import { SessionOver } from './session-over.tsx';
import { Sidebar } from './sidebar.tsx';
import { SkipLink } from './skip-link.tsx';

/** Every page behind the door: sidebar (on narrow screens a bar and a sheet) and the page. */
export function Frame({ children, ...sidebar }: FrameProps) {
  return (
    <PageRootProvider value={accountPath(sidebar.session.account.id, '')}>
      <IdentityCheck session={sidebar.session}>
        <div className="min-h-dvh min-[60rem]:grid min-[60rem]:grid-cols-[var(--spacing-sidebar)_minmax(0,1fr)] print:block!">
          <SkipLink />
          <PhoneBar {...sidebar} />
          <aside className="sticky top-0 h-dvh border-r border-line bg-sunken max-[60rem]:hidden print:hidden">
            <Sidebar {...sidebar} />
          </aside>
          <main
            id="main"
            tabIndex={-1}
            className="@container mx-auto w-full max-w-[calc(var(--spacing-column)+2*var(--gutter))] min-w-0 px-gutter pt-9 pb-16 outline-none max-sm:pt-5 max-sm:pb-12"
          >
            <SessionOver />
            {children}
          </main>
        </div>
        <SessionChanged session={sidebar.session} />
      </IdentityCheck>
    </PageRootProvider>
  );
}
