'use client';

import { lazyComponent } from '#components/ui/rendering/lazy-component.ts';

import type { InvitationDialogProps } from './invitation-dialog.tsx';

type LazyInvitationDialogProps = Omit<InvitationDialogProps, 'openDialog'> & {
  /** Null: no dialog is open. */
  openDialog: InvitationDialogProps['openDialog'] | null;
};

/** The dialog that is open about invitations, loaded after the page. */
export const LazyInvitationDialog = lazyComponent<LazyInvitationDialogProps>(async () => {
  const { InvitationDialog } = await import('./invitation-dialog.tsx');
  return ({ openDialog, ...props }) =>
    openDialog && <InvitationDialog openDialog={openDialog} {...props} />;
});
