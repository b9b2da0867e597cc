import type { FocusTarget } from '#components/ui/overlays/dialog.tsx';
import { lazyShownDialog } from '#components/ui/overlays/lazy-shown-dialog.tsx';
import { LazySetUpSecretDialog } from '../secret/lazy-set-up-secret-dialog.tsx';
import type { WebhookActionsState } from './use-webhook-actions.ts';
import type { ShownWebhookDialog } from './shown-webhook-dialog.ts';
import type { WebhookDialogProps } from './webhook-dialog.tsx';

type WebhookDialogsProps = {
  state: Pick<WebhookActionsState, 'setUp' | 'shownDialog' | 'refetch' | 'closeDialog'>;
  finalFocus: FocusTarget;
};

/** The dialogs of the actions on webhooks. One is open at most. */
export function WebhookDialogs({ state, finalFocus }: WebhookDialogsProps) {
  const { setUp, shownDialog, refetch, closeDialog } = state;
  return (
    <>
      <LazySetUpSecretDialog
        shouldLoad={setUp.stage.name !== 'idle'}
        setUp={setUp}
        finalFocus={finalFocus}
      />
      <LazyWebhookDialog
        shownDialog={shownDialog}
        finalFocus={finalFocus}
        onStale={refetch}
        onClosed={closeDialog}
      />
    </>
  );
}

/** The dialog that is open for a webhook, loaded after the page. */
const LazyWebhookDialog = lazyShownDialog<
  ShownWebhookDialog,
  Omit<WebhookDialogProps, 'shownDialog'>
>(
  async () => (await import('./webhook-dialog.tsx')).WebhookDialog,
  ({ kind, webhook }) => `${kind} ${webhook.uuid}`,
);
