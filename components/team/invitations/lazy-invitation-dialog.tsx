'use client';

import { lazyComponent } from '#components/ui/rendering/lazy-component.ts';

import type { InvitationDialogProps } from './invitation-dialog.tsx';

type LazyInvitationDialogProps = Omit<InvitationDialogProps, 'shownDialog'> & {
  /** Null: no dialog is open. */
  shownDialog: InvitationDialogProps['shownDialog'] | null;
};

/** The dialog that is open about invitations, loaded after the page. */
export const LazyInvitationDialog = lazyComponent<LazyInvitationDialogProps>(async () => {
  const { InvitationDialog } = await import('./invitation-dialog.tsx');
  return ({ shownDialog, ...props }) =>
    shownDialog && <InvitationDialog shownDialog={shownDialog} {...props} />;
});
