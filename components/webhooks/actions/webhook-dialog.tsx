import { ConfirmDialog, type DialogClosing } from '#components/shell/actions/action-dialogs.tsx';
import { useAction } from '#components/shell/actions/use-action.ts';
import { CloseRequest } from '#components/shell/requests/close-request.tsx';
import { Code } from '#components/ui/data-display/code.tsx';
import { type Fact, Facts } from '#components/ui/data-display/facts.tsx';
import { ExactTime, RelativeTime } from '#components/ui/data-display/time.tsx';
import { CopyDialog } from '#components/ui/overlays/copy-dialog.tsx';
import type { FocusTarget } from '#components/ui/overlays/dialog.tsx';
import { deleteWebhook, endWebhookSecret } from '#lib/actions/webhooks.ts';
import type { Webhook } from '#lib/contract/webhooks/webhook.ts';
import { RegenerateSecret } from '../secret/regenerate-secret.tsx';
import { SendTestDialog } from '../test-event/send-test-dialog.tsx';
import { WholeUrl } from '../url.tsx';
import { AskAboutWebhook } from './ask-about-webhook.tsx';
import { ResumeWebhook } from './resume-webhook.tsx';
import type { DialogOutcome, ShownWebhookDialog } from './shown-webhook-dialog.ts';
import type { OlderSecretOfWebhook } from './webhook-actions.ts';

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
    case 'end-secret':
      return (
        <EndSecret
          webhook={webhook}
          secret={shownDialog.secret}
          {...shared}
          onEnded={closeAfterChange}
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

type EndSecretProps = DialogClosing & {
  webhook: Webhook;
  secret: OlderSecretOfWebhook;
  /** Called after the secret ended, because of this person or someone else. */
  onEnded: () => void;
};

function EndSecret({ webhook, secret, onEnded, ...dialog }: EndSecretProps) {
  const { run, ...action } = useAction();
  return (
    <ConfirmDialog
      title={`End secret …${secret.last_four ?? ''}`}
      sentence={`Deliveries to ${webhook.name} have no signature of this secret from now on. A server that still verifies with it rejects them.`}
      action={action}
      buttons={{ tone: 'danger' }}
      failure={{ adviceIfUnknown: 'Trying again is safe.' }}
      onConfirm={() =>
        run(() => endWebhookSecret({ params: { webhook: webhook.uuid, secret: secret.uuid } }), {
          onDone: onEnded,
          onNotFound: onEnded,
        })
      }
      {...dialog}
    >
      <Facts
        facts={[
          { label: 'Newest secret', value: <SecretEnd lastFour={webhook.secret.last_four} /> },
          { label: 'Ended secret', value: <SecretEnd lastFour={secret.last_four} /> },
          { label: 'Ends automatically', value: <ExactTime value={secret.valid_until} /> },
        ]}
      />
    </ConfirmDialog>
  );
}

function SecretEnd({ lastFour }: { lastFour: string | null }) {
  return <Code>whsec_…{lastFour}</Code>;
}

type DeleteWebhookProps = DialogClosing & {
  webhook: Webhook;
  /** Whether it was triggered within the last week, so that its name must be typed. */
  isInUse: boolean;
  /** Called after the webhook was deleted, by this person or by someone else before. */
  onDeleted: () => void;
};

function DeleteWebhook({ webhook, isInUse, onDeleted, ...dialog }: DeleteWebhookProps) {
  const { run, ...action } = useAction();
  return (
    <ConfirmDialog
      title={`Delete ${webhook.name}`}
      sentence="Nothing more is sent to its URL, including pending retries. Its deliveries can no longer be viewed. This cannot be undone."
      action={action}
      buttons={{ tone: 'danger' }}
      typedName={isInUse ? webhook.name : undefined}
      failure={{ adviceIfUnknown: 'Deleting again is safe.' }}
      onConfirm={() =>
        run(() => deleteWebhook({ params: { webhook: webhook.uuid } }), {
          onDone: onDeleted,
          onNotFound: onDeleted,
        })
      }
      {...dialog}
    >
      <Facts facts={factsOf(webhook)} />
    </ConfirmDialog>
  );
}

function factsOf({
  url,
  events,
  created_at: created,
  last_triggered_at: triggered,
}: Webhook): Fact[] {
  return [
    {
      label: 'Last triggered',
      value: triggered === null ? 'Never' : <RelativeTime value={triggered} />,
    },
    { label: 'URL', value: <WholeUrl url={url} /> },
    {
      label: 'Events',
      value: <Code>{events.join(', ')}</Code>,
    },
    { label: 'Created', value: <ExactTime value={created} /> },
  ];
}
