'use client';

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
import { PhoneBar } from './phone-bar.tsx';

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
                bar={<AccountBar {...sidebar} />}
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
      <SessionEnded
        shouldLoad={isSessionEnded}
        isSessionEnded={isSessionEnded}
        onSignIn={signInAgain}
      />
    </div>
  );
}

const SessionEnded = lazyComponent(async () => (await import('./session-ended.tsx')).SessionEnded);

function AccountBar(props: FrameProps) {
  // Renders rarely. Compiled for memoization, it would be larger.
  'use no memo';
  return (
    <PhoneBar
      title={props.session.account.name}
      renderSidebar={(close) => <Sidebar {...props} onNavigate={close} />}
    >
      <PersonMenu {...props} isAvatarOnly />
    </PhoneBar>
  );
}
