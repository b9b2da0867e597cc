import { LifeBuoy } from 'lucide-react';

import type { SupportDesk } from '#lib/contract/support-desk/support-desk.ts';

import { DeskMenu } from './desk-menu.tsx';

/** Replaces the sidebar on narrow screens. */
export function DeskBar({ desk }: { desk: SupportDesk }) {
  return (
    <header className="sticky top-0 z-(--z-sticky) flex h-14 items-center gap-2.5 border-b border-line bg-sunken pr-2 pl-4 min-[60rem]:hidden print:hidden">
      <LifeBuoy aria-hidden className="text-ink-3" />
      <p className="min-w-0 flex-1 truncate font-semibold">All accounts</p>
      <DeskMenu desk={desk} isAvatarOnly />
    </header>
  );
}
