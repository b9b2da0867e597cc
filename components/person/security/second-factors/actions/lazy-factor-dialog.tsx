'use client';

import { lazyComponent } from '#components/ui/rendering/lazy-component.ts';

import type { FactorDialogProps } from './factor-dialog.tsx';

type LazyFactorDialogProps = Omit<FactorDialogProps, 'shownDialog'> & {
  /** Null: no dialog is open. */
  shownDialog: FactorDialogProps['shownDialog'] | null;
};

/** The dialog about second factors that is open, loaded after the page. */
export const LazyFactorDialog = lazyComponent<LazyFactorDialogProps>(async () => {
  const { FactorDialog } = await import('./factor-dialog.tsx');
  return ({ shownDialog, ...props }) =>
    shownDialog && <FactorDialog key={shownDialog.kind} shownDialog={shownDialog} {...props} />;
});
