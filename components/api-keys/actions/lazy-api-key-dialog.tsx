'use client';

import { useDeferredOpening } from '#components/ui/overlays/use-deferred-opening.ts';
import { lazyComponent } from '#components/ui/rendering/lazy-component.ts';

import type { ApiKeyDialogProps } from './api-key-dialog.tsx';

type LazyApiKeyDialogProps = Omit<ApiKeyDialogProps, 'openDialog'> & {
  /** Null: no dialog is open. */
  openDialog: ApiKeyDialogProps['openDialog'] | null;
};

/** The dialog that is open for a key, loaded after the page. */
export const LazyApiKeyDialog = lazyComponent<LazyApiKeyDialogProps>(async () => {
  const { ApiKeyDialog } = await import('./api-key-dialog.tsx');
  return function OpenedApiKeyDialog({ openDialog, ...props }) {
    const isOpen = useDeferredOpening(openDialog !== null);
    return (
      isOpen &&
      openDialog && (
        <ApiKeyDialog
          key={`${openDialog.kind} ${openDialog.apiKey.uuid}`}
          openDialog={openDialog}
          {...props}
        />
      )
    );
  };
});
