'use client';

import { lazyShownDialog } from '#components/ui/overlays/lazy-shown-dialog.tsx';

import type { ShownWebhookDialog } from './shown-webhook-dialog.ts';
import type { WebhookDialogProps } from './webhook-dialog.tsx';

/** The dialog that is open for a webhook, loaded after the page. */
export const LazyWebhookDialog = lazyShownDialog<
  ShownWebhookDialog,
  Omit<WebhookDialogProps, 'shownDialog'>
>(
  async () => (await import('./webhook-dialog.tsx')).WebhookDialog,
  ({ kind, webhook }) => `${kind} ${webhook.uuid}`,
);
