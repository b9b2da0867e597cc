'use client';

import { useDeferredOpening } from '#components/ui/overlays/use-deferred-opening.ts';
import { lazyComponent } from '#components/ui/rendering/lazy-component.ts';

import type { MemberDialogProps } from './member-dialog.tsx';

type LazyMemberDialogProps = Omit<MemberDialogProps, 'openDialog'> & {
  /** Null: no dialog is open. */
  openDialog: MemberDialogProps['openDialog'] | null;
};

/** The dialog that is open for a member, loaded after the page. */
export const LazyMemberDialog = lazyComponent<LazyMemberDialogProps>(async () => {
  const { MemberDialog } = await import('./member-dialog.tsx');
  return function OpenedMemberDialog({ openDialog, ...props }) {
    const isOpen = useDeferredOpening(openDialog !== null);
    return (
      isOpen &&
      openDialog && (
        <MemberDialog
          key={`${openDialog.kind} ${openDialog.member.id}`}
          openDialog={openDialog}
          {...props}
        />
      )
    );
  };
});
