'use client';

import { ConfirmDialog } from '#components/shell/actions/action-dialogs.tsx';
import { useAction } from '#components/shell/actions/use-action.ts';
import type { FocusTarget } from '#components/ui/overlays/dialog.tsx';
import { type Fact, Facts } from '#components/ui/data-display/facts.tsx';
import { ExactTime, RelativeTime } from '#components/ui/data-display/time.tsx';
import { deleteWebhook } from '#lib/actions/webhooks.ts';
import type { Webhook } from '#lib/contract/webhooks/webhook.ts';

import { WholeUrl } from '../url.tsx';

type DeleteWebhookProps = {
  webhook: Webhook;
  /** Whether it was triggered within the last week, so that its name must be typed. */
  isInUse: boolean;
  onClose: () => void;
  /** Called after the webhook was deleted, by this person or by somebody else before. */
  onDeleted: () => void;
  finalFocus: FocusTarget;
};

export function DeleteWebhook({
  webhook,
  isInUse,
  onClose,
  onDeleted,
  finalFocus,
}: DeleteWebhookProps) {
  const { run, ...action } = useAction();
  return (
    <ConfirmDialog
      title={`Delete ${webhook.name}`}
      sentence="Nothing more is sent to its URL, not even waiting retries. Its deliveries can no longer be viewed. This cannot be undone."
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
      onClose={onClose}
      finalFocus={finalFocus}
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
      value: (
        <span translate="no" className="code">
          {events.join(', ')}
        </span>
      ),
    },
    { label: 'Created', value: <ExactTime value={created} /> },
  ];
}
