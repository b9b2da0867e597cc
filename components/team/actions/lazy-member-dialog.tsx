'use client';

import { useDeferredOpening } from '#components/ui/overlays/use-deferred-opening.ts';
import { lazyComponent } from '#components/ui/rendering/lazy-component.ts';

import type { MemberDialogProps } from './member-dialog.tsx';

type LazyMemberDialogProps = Omit<MemberDialogProps, 'shownDialog'> & {
  /** Null: no dialog is open. */
  shownDialog: MemberDialogProps['shownDialog'] | null;
};

/** The dialog that is open for a member, loaded after the page. */
export const LazyMemberDialog = lazyComponent<LazyMemberDialogProps>(async () => {
  const { MemberDialog } = await import('./member-dialog.tsx');
  return function OpenedMemberDialog({ shownDialog, ...props }) {
    const isOpen = useDeferredOpening(shownDialog !== null);
    return (
      isOpen &&
      shownDialog && (
        <MemberDialog
          key={`${shownDialog.kind} ${shownDialog.member.id}`}
          shownDialog={shownDialog}
          {...props}
        />
      )
    );
  };
});
