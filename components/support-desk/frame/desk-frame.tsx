'use client';

import { LifeBuoy } from 'lucide-react';
import type { ReactNode } from 'react';
import { CommandPaletteProvider } from '#components/shell/command-palette/command-palette.tsx';
import { FrameLayout } from '#components/shell/frame/frame-layout.tsx';
import { PageArea } from '#components/shell/frame/page-area.tsx';
import {
  LazyLeavePageDialog,
  personChanged,
} from '#components/shell/identity/lazy-leave-page-dialog.tsx';
import { useWatchedSession } from '#components/shell/identity/use-watched-session.ts';
import { documentTitle } from '#components/shell/page/page-title.tsx';
import { BasePathProvider } from '#components/ui/navigation/base-path.ts';
import { usePendingNavigation } from '#components/ui/navigation/navigation.tsx';
import { lazyComponent } from '#components/ui/rendering/lazy-component.ts';
import { useTemporaryTitle } from '#components/ui/rendering/use-temporary-title.ts';
import type { SupportDesk } from '#lib/contract/support-desk/support-desk.ts';
import { deskRequestsPath, statusPath, supportDeskPath } from '#lib/paths/account-path.ts';
import { routeQuery } from '#lib/queries/route-query.ts';
import { PaletteSearchProvider } from '../palette-search.tsx';
import { DeskRequestTableSkeleton } from '../requests/desk-request-table.tsx';
import { DeskRequestsHeading } from '../requests/desk-requests-heading.tsx';
import { StatusSkeleton } from '../status/status-skeleton.tsx';
import { DeskMenu } from './desk-menu.tsx';
import { DeskSidebar } from './desk-sidebar.tsx';

type DeskFrameProps = { desk: SupportDesk; version: string; children: ReactNode };

/** The frame of the pages for all accounts, in place of an account's frame. */
export function DeskFrame({ desk, version, children }: DeskFrameProps) {
  return (
    <BasePathProvider value="/">
      <PaletteSearchProvider>
        <CommandPaletteProvider renderPalette={(props) => <Palette {...props} desk={desk} />}>
          <FrameLayout
            sidebar={<DeskSidebar desk={desk} version={version} />}
            bar={<DeskBar desk={desk} />}
          >
            <PageArea skeleton={<NextDeskPage />}>{children}</PageArea>
          </FrameLayout>
          <DeskChangedDialog desk={desk} />
        </CommandPaletteProvider>
      </PaletteSearchProvider>
    </BasePathProvider>
  );
}

const Palette = lazyComponent(async () => (await import('./desk-palette.tsx')).DeskPalette);

/** Replaces the sidebar on narrow screens. */
function DeskBar({ desk }: { desk: SupportDesk }) {
  return (
    <header className="sticky top-0 z-(--z-sticky) flex h-14 items-center gap-2.5 border-b border-line bg-sunken pr-2 pl-4 min-[60rem]:hidden print:hidden">
      <LifeBuoy aria-hidden className="text-ink-3" />
      <p className="min-w-0 flex-1 truncate font-semibold">All accounts</p>
      <DeskMenu desk={desk} isAvatarOnly />
    </header>
  );
}

/** Blocks the desk if another person signed in in another tab: searches here would be theirs. */
function DeskChangedDialog({ desk }: { desk: SupportDesk }) {
  const { current } = useWatchedSession(routeQuery(desk, 'getSupportDesk'), desk);
  const isChanged = current.person.id !== desk.person.id;
  return (
    <LazyLeavePageDialog
      reason={isChanged ? personChanged(current.person, desk.person, supportDeskPath) : null}
    />
  );
}

/** Shown while a page of the desk opens, other than the first. */
function NextDeskPage() {
  const path = usePendingNavigation()?.path.split('?')[0] ?? '';
  const next = nextPages.find((page) => page.path === path);
  useTemporaryTitle(next ? documentTitle(next.title) : null);
  return next?.skeleton;
}

const nextPages = [
  {
    path: deskRequestsPath,
    title: 'My requests',
    skeleton: (
      <>
        <DeskRequestsHeading />
        <DeskRequestTableSkeleton />
      </>
    ),
  },
  { path: statusPath, title: 'Status', skeleton: <StatusSkeleton /> },
];
