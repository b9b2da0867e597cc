'use client';

import { useDeferredOpening } from '#components/ui/overlays/use-deferred-opening.ts';
import { lazyComponent } from '#components/ui/rendering/lazy-component.ts';

import type { ApiKeyDialogProps } from './api-key-dialog.tsx';

type LazyApiKeyDialogProps = Omit<ApiKeyDialogProps, 'shownDialog'> & {
  /** Null: no dialog is open. */
  shownDialog: ApiKeyDialogProps['shownDialog'] | null;
};

/** The dialog that is open for a key, loaded after the page. */
export const LazyApiKeyDialog = lazyComponent<LazyApiKeyDialogProps>(async () => {
  const { ApiKeyDialog } = await import('./api-key-dialog.tsx');
  return function OpenedApiKeyDialog({ shownDialog, ...props }) {
    const isOpen = useDeferredOpening(shownDialog !== null);
    return (
      isOpen &&
      shownDialog && (
        <ApiKeyDialog
          key={`${shownDialog.kind} ${shownDialog.apiKey.uuid}`}
          shownDialog={shownDialog}
          {...props}
        />
      )
    );
  };
});
