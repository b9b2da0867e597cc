'use client';

import { lazyPart } from '#components/ui/lazy-part.ts';

import type { WebhookActDialogProps } from './webhook-act-dialog.tsx';

type WebhookActProps = Omit<WebhookActDialogProps, 'asked'> & {
  /** Null: nothing is asked. */
  asked: WebhookActDialogProps['asked'] | null;
};

/** The dialog of an act upon one webhook, once one is asked for. */
export const WebhookAct = lazyPart<WebhookActProps>(async () => {
  const { WebhookActDialog } = await import('./webhook-act-dialog.tsx');
  return ({ asked, ...props }) =>
    asked && (
      <WebhookActDialog key={`${asked.kind} ${asked.webhook.uuid}`} asked={asked} {...props} />
    );
});
