'use client';

import { lazyComponent } from '#components/ui/lazy-component.ts';

import type { WebhookDialogProps } from './webhook-dialog.tsx';

type LazyWebhookDialogProps = Omit<WebhookDialogProps, 'openDialog'> & {
  /** Null: nothing is asked. */
  openDialog: WebhookDialogProps['openDialog'] | null;
};

/** The dialog of an act upon one webhook, once one is asked for. */
export const LazyWebhookDialog = lazyComponent<LazyWebhookDialogProps>(async () => {
  const { WebhookDialog } = await import('./webhook-dialog.tsx');
  return ({ openDialog, ...props }) =>
    openDialog && (
      <WebhookDialog
        key={`${openDialog.kind} ${openDialog.webhook.uuid}`}
        openDialog={openDialog}
        {...props}
      />
    );
});
