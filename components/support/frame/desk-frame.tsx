'use client';

import type { ReactNode } from 'react';

import { FrameLayout } from '#components/shell/frame/frame-layout.tsx';
import { PageArea } from '#components/shell/frame/page-area.tsx';
import { BasePathProvider } from '#components/ui/navigation/base-path.ts';
import type { SupportDesk } from '#lib/contract/support/support-desk.ts';

import { DeskBar } from './desk-bar.tsx';
import { DeskChangedDialog } from './desk-changed-dialog.tsx';
import { DeskSidebar } from './desk-sidebar.tsx';
import { NextDeskPage } from './next-desk-page.tsx';

/** The frame of the pages for all accounts, in the place of the frame of one. */
export function DeskFrame({ desk, children }: { desk: SupportDesk; children: ReactNode }) {
  return (
    <BasePathProvider value="/">
      <FrameLayout sidebar={<DeskSidebar desk={desk} />} bar={<DeskBar desk={desk} />}>
        <PageArea skeleton={<NextDeskPage />}>{children}</PageArea>
      </FrameLayout>
      <DeskChangedDialog desk={desk} />
    </BasePathProvider>
  );
}
