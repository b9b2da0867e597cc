'use client';

import { LogIn, Menu as MenuIcon } from 'lucide-react';
import { useRef, useState } from 'react';
import { Button } from '#components/ui/buttons/button.tsx';
import { IconButton } from '#components/ui/buttons/icon-button.tsx';
import { Banner } from '#components/ui/feedback/banner.tsx';
import { BasePathProvider } from '#components/ui/navigation/base-path.ts';
import { lazyComponent } from '#components/ui/rendering/lazy-component.ts';
import { accountPath } from '#lib/paths/account-path.ts';
import { useIdentity } from '../actions/use-identity.ts';
import { CommandPaletteProvider } from '../command-palette/command-palette.tsx';
import { IdentityProvider } from '../identity/identity-provider.tsx';
import { SessionChangedDialog } from '../identity/session-changed-dialog.tsx';
import { SwitchAccountProvider } from '../identity/switch-account.tsx';
import { LeaveGuardProvider } from '../leaving/leave-guard-provider.tsx';
import { FrameLayout } from './frame-layout.tsx';
import type { FrameProps } from './navigation/frame-props.ts';
import { PersonMenu } from './navigation/person-menu.tsx';
import { Sidebar } from './navigation/sidebar.tsx';
import { PageArea, type PageAreaProps } from './page-area.tsx';

/** The layout of every page that needs a session: sidebar (or a bar and a sheet) and content. */
export function Frame({ children, skeleton, ...sidebar }: FrameProps & PageAreaProps) {
  return (
    <BasePathProvider value={accountPath(sidebar.session.account.id, '')}>
      <IdentityProvider session={sidebar.session}>
        <LeaveGuardProvider>
          <SwitchAccountProvider>
            <CommandPaletteProvider
              renderPalette={(props) => <Palette {...props} session={sidebar.session} />}
            >
              <FrameLayout
                sidebar={<Sidebar {...sidebar} />}
                bar={<PhoneBar {...sidebar} />}
                banner={<SessionEndedBanner />}
              >
                <PageArea skeleton={skeleton}>{children}</PageArea>
              </FrameLayout>
              <SessionChangedDialog session={sidebar.session} />
            </CommandPaletteProvider>
          </SwitchAccountProvider>
        </LeaveGuardProvider>
      </IdentityProvider>
    </BasePathProvider>
  );
}

const Palette = lazyComponent(
  async () => (await import('../command-palette/palette-popup.tsx')).PalettePopup,
);

/** Shown above the page after its session ended and the prompt to sign in again was closed. */
function SessionEndedBanner() {
  const { isSessionEnded, signInAgain } = useIdentity();
  return (
    // Rendered from the start: screen readers announce only what is added to an existing live
    // region.
    <div role="alert" className="not-empty:mb-6 print:hidden">
      {isSessionEnded && (
        <Banner
          role="none"
          tone="warn"
          icon={<LogIn />}
          title="Your session has ended"
          action={<Button onClick={signInAgain}>Sign in again</Button>}
        >
          This page shows data from before your session ended. Your input is kept.
        </Banner>
      )}
    </div>
  );
}

/** Replaces the sidebar on narrow screens: a bar, with the sidebar as a sheet from the left. */
function PhoneBar(props: FrameProps) {
  // Renders rarely. Compiled for memoization, it would be larger.
  'use no memo';
  const opener = useRef<HTMLButtonElement | null>(null);
  const [isOpen, setIsOpen] = useState(false);
  return (
    <header className="sticky top-0 z-(--z-sticky) flex h-14 items-center gap-1 border-b border-line bg-sunken pr-2 pl-1 min-[60rem]:hidden print:hidden">
      <IconButton
        ref={opener}
        label="Open navigation"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => setIsOpen(true)}
        size="normal"
        className="size-11 [&>svg]:size-5!"
        icon={<MenuIcon />}
      />
      <Sheet
        {...props}
        shouldLoad={isOpen}
        isOpen={isOpen}
        onClose={() => setIsOpen(false)}
        opener={opener}
      />
      <p className="min-w-0 flex-1 truncate font-semibold">{props.session.account.name}</p>
      <PersonMenu {...props} isAvatarOnly />
    </header>
  );
}

const Sheet = lazyComponent(
  async () => (await import('./navigation/navigation-sheet.tsx')).NavigationSheet,
);
