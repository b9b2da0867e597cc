'use client';

import { CloseRequest } from '#components/shell/requests/close-request.tsx';
import { CopyDialog } from '#components/ui/overlays/copy-dialog.tsx';
import type { FocusTarget } from '#components/ui/overlays/dialog.tsx';

import { AskAboutWebhook } from './ask-about-webhook.tsx';
import type { DialogOutcome, ShownWebhookDialog } from './shown-webhook-dialog.ts';
import { DeleteWebhook } from './delete-webhook.tsx';
import { RegenerateSecret } from '../secret/regenerate-secret.tsx';
import { SendTestDialog } from '../test-event/send-test-dialog.tsx';
import { ResumeWebhook } from './resume-webhook.tsx';

export type WebhookDialogProps = {
  shownDialog: ShownWebhookDialog;
  finalFocus: FocusTarget;
  /** Called when webhooks and requests must be read again. */
  onStale: () => void;
  onClosed: (outcome: DialogOutcome) => void;
};

/** Renders the dialog that is open for a webhook. */
export function WebhookDialog({ shownDialog, finalFocus, onStale, onClosed }: WebhookDialogProps) {
  const { kind, webhook } = shownDialog;
  const shared = { finalFocus, onClose: () => onClosed({ kind: 'cancelled' }) };
  const closeAfterChange = () => onClosed({ kind: 'changed' });
  const onNotFound = () => onClosed({ kind: 'missing', webhook });
  switch (kind) {
    case 'regenerate-secret':
      return (
        <RegenerateSecret
          webhook={webhook}
          accountId={shownDialog.accountId}
          finalFocus={finalFocus}
          onClosed={(isStale) => onClosed({ kind: isStale ? 'changed' : 'cancelled' })}
          onNotFound={onNotFound}
        />
      );
    case 'send-test':
      return (
        <SendTestDialog
          webhook={webhook}
          accountId={shownDialog.accountId}
          mayChooseContent={shownDialog.mayChooseContent}
          finalFocus={finalFocus}
          onClose={(isSent) => onClosed({ kind: isSent ? 'changed' : 'cancelled' })}
          onNotFound={onNotFound}
        />
      );
    case 'delete':
      return (
        <DeleteWebhook
          webhook={webhook}
          isInUse={shownDialog.isInUse}
          {...shared}
          onDeleted={() => onClosed({ kind: 'deleted', webhook })}
        />
      );
    case 'resume':
      return (
        <ResumeWebhook
          webhook={webhook}
          counted={shownDialog.counted}
          {...shared}
          onResumed={(resumed) => onClosed({ kind: 'resumed', webhook: resumed })}
          onNotFound={onNotFound}
        />
      );
    case 'ask':
      return (
        <AskAboutWebhook
          webhook={webhook}
          act={shownDialog.act}
          accountId={shownDialog.accountId}
          {...shared}
          onStale={onStale}
          onAsked={closeAfterChange}
        />
      );
    case 'close-request':
      return (
        <CloseRequest
          request={shownDialog.request}
          personId={shownDialog.personId}
          {...shared}
          onStale={onStale}
          onEnded={closeAfterChange}
        />
      );
    case 'show-id':
      return <CopyDialog title={`ID of ${webhook.name}`} text={webhook.uuid} {...shared} />;
  }
}
