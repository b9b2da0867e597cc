'use client';

import { lazyComponent } from '#components/ui/rendering/lazy-component.ts';

import type { FactorDialogProps } from './factor-dialog.tsx';

type LazyFactorDialogProps = Omit<FactorDialogProps, 'openDialog'> & {
  /** Null: no dialog is open. */
  openDialog: FactorDialogProps['openDialog'] | null;
};

/** The dialog about second factors that is open, loaded after the page. */
export const LazyFactorDialog = lazyComponent<LazyFactorDialogProps>(async () => {
  const { FactorDialog } = await import('./factor-dialog.tsx');
  return ({ openDialog, ...props }) =>
    openDialog && <FactorDialog key={openDialog.kind} openDialog={openDialog} {...props} />;
});
