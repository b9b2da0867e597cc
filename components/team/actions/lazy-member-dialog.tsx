'use client';

import { lazyShownDialog } from '#components/ui/overlays/lazy-shown-dialog.tsx';

import type { MemberDialogProps } from './member-dialog.tsx';
import type { ShownMemberDialog } from './shown-member-dialog.ts';

/** The dialog that is open for a member, loaded after the page. */
export const LazyMemberDialog = lazyShownDialog<
  ShownMemberDialog,
  Omit<MemberDialogProps, 'shownDialog'>
>(
  async () => (await import('./member-dialog.tsx')).MemberDialog,
  ({ kind, member }) => `${kind} ${member.id}`,
);
