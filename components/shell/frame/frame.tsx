'use client';

import { BasePathProvider } from '#components/ui/navigation/base-path.ts';
import { accountPath } from '#lib/account-path.ts';

import type { FrameProps } from './frame-props.ts';
import { IdentityProvider } from '../identity/identity-provider.tsx';
import { CommandPaletteProvider } from '../command-palette/command-palette.tsx';
import { LeaveGuardProvider } from '../one-time-secret/leave-guard.tsx';
import { PhoneBar } from './phone-bar.tsx';
import { SessionChangedDialog } from '../identity/session-changed-dialog.tsx';
import { SessionEndedBanner } from '../identity/session-ended-banner.tsx';
import { Sidebar } from './sidebar.tsx';
import { SkipLink } from './skip-link.tsx';

/**
 * The layout of every page that needs a session: sidebar (on narrow screens a bar and a sheet) and
 * content.
 */
export function Frame({ children, ...sidebar }: FrameProps) {
  return (
    <BasePathProvider value={accountPath(sidebar.session.account.id, '')}>
      <IdentityProvider session={sidebar.session}>
        <LeaveGuardProvider>
          <CommandPaletteProvider session={sidebar.session}>
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
                <SessionEndedBanner />
                {children}
              </main>
            </div>
            <SessionChangedDialog session={sidebar.session} />
          </CommandPaletteProvider>
        </LeaveGuardProvider>
      </IdentityProvider>
    </BasePathProvider>
  );
}
