'use client';

import { BasePathProvider } from '#components/ui/navigation/base-path.ts';
import { lazyComponent } from '#components/ui/rendering/lazy-component.ts';
import { accountPath } from '#lib/paths/account-path.ts';

import type { FrameProps } from './navigation/frame-props.ts';
import { IdentityProvider } from '../identity/identity-provider.tsx';
import { CommandPaletteProvider } from '../command-palette/command-palette.tsx';
import { FrameLayout } from './frame-layout.tsx';
import { LeaveGuardProvider } from '../leaving/leave-guard-provider.tsx';
import { PageArea, type PageAreaProps } from './page-area.tsx';
import { PhoneBar } from './navigation/phone-bar.tsx';
import { SessionChangedDialog } from '../identity/session-changed-dialog.tsx';
import { SessionEndedBanner } from '../identity/session-ended-banner.tsx';
import { SwitchAccountProvider } from '../identity/switch-account.tsx';
import { Sidebar } from './navigation/sidebar.tsx';

/**
 * The layout of every page that needs a session: sidebar (on narrow screens a bar and a sheet) and
 * content.
 */
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
