'use client';

import type { ReactNode } from 'react';

import { CommandPaletteProvider } from '#components/shell/command-palette/command-palette.tsx';
import { FrameLayout } from '#components/shell/frame/frame-layout.tsx';
import { PageArea } from '#components/shell/frame/page-area.tsx';
import { BasePathProvider } from '#components/ui/navigation/base-path.ts';
import { lazyComponent } from '#components/ui/rendering/lazy-component.ts';
import type { SupportDesk } from '#lib/contract/support-desk/support-desk.ts';

import { PaletteSearchProvider } from '../palette-search.tsx';
import { DeskBar } from './desk-bar.tsx';
import { DeskChangedDialog } from './desk-changed-dialog.tsx';
import { DeskSidebar } from './desk-sidebar.tsx';
import { NextDeskPage } from './next-desk-page.tsx';

/** The frame of the pages for all accounts, in place of an account's frame. */
export function DeskFrame({ desk, children }: { desk: SupportDesk; children: ReactNode }) {
  return (
    <BasePathProvider value="/">
      <PaletteSearchProvider>
        <CommandPaletteProvider renderPalette={(props) => <Palette {...props} desk={desk} />}>
          <FrameLayout sidebar={<DeskSidebar desk={desk} />} bar={<DeskBar desk={desk} />}>
            <PageArea skeleton={<NextDeskPage />}>{children}</PageArea>
          </FrameLayout>
          <DeskChangedDialog desk={desk} />
        </CommandPaletteProvider>
      </PaletteSearchProvider>
    </BasePathProvider>
  );
}

const Palette = lazyComponent(async () => (await import('./desk-palette.tsx')).DeskPalette);
