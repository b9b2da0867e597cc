'use client';

import { useDeferredOpening } from '#components/ui/overlays/use-deferred-opening.ts';
import { lazyComponent } from '#components/ui/rendering/lazy-component.ts';

import type { WebhookDialogProps } from './webhook-dialog.tsx';

type LazyWebhookDialogProps = Omit<WebhookDialogProps, 'openDialog'> & {
  /** Null: no dialog is open. */
  openDialog: WebhookDialogProps['openDialog'] | null;
};

/** The dialog that is open for a webhook, loaded after the page. */
export const LazyWebhookDialog = lazyComponent<LazyWebhookDialogProps>(async () => {
  const { WebhookDialog } = await import('./webhook-dialog.tsx');
  return function OpenedWebhookDialog({ openDialog, ...props }) {
    const isOpen = useDeferredOpening(openDialog !== null);
    return (
      isOpen &&
      openDialog && (
        <WebhookDialog
          key={`${openDialog.kind} ${openDialog.webhook.uuid}`}
          openDialog={openDialog}
          {...props}
        />
      )
    );
  };
});
