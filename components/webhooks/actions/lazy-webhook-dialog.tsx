'use client';

import { useDeferredOpening } from '#components/ui/overlays/use-deferred-opening.ts';
import { lazyComponent } from '#components/ui/rendering/lazy-component.ts';

import type { WebhookDialogProps } from './webhook-dialog.tsx';

type LazyWebhookDialogProps = Omit<WebhookDialogProps, 'shownDialog'> & {
  /** Null: no dialog is open. */
  shownDialog: WebhookDialogProps['shownDialog'] | null;
};

/** The dialog that is open for a webhook, loaded after the page. */
export const LazyWebhookDialog = lazyComponent<LazyWebhookDialogProps>(async () => {
  const { WebhookDialog } = await import('./webhook-dialog.tsx');
  return function OpenedWebhookDialog({ shownDialog, ...props }) {
    const isOpen = useDeferredOpening(shownDialog !== null);
    return (
      isOpen &&
      shownDialog && (
        <WebhookDialog
          key={`${shownDialog.kind} ${shownDialog.webhook.uuid}`}
          shownDialog={shownDialog}
          {...props}
        />
      )
    );
  };
});
