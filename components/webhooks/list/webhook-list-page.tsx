'use client';

import { useQuery } from '@tanstack/react-query';
import { LazyFailedActionPanel } from '#components/shell/actions/lazy-failed-action-panel.tsx';
import { useNavigationFocus } from '#components/shell/page/navigation-focus.tsx';
import { ReadFailure } from '#components/shell/page/read-failure.tsx';
import { useReturnFocus } from '#components/shell/page/use-return-focus.ts';
import { CodeBlock } from '#components/ui/data-display/code-block.tsx';
import { EmptyState } from '#components/ui/feedback/empty-state.tsx';
import { useNow } from '#components/ui/rendering/use-now.ts';
import { mayAct, type Role } from '#lib/contract/rights/roles.ts';
import { pageRefetchOptions } from '#lib/queries/refetch-interval.ts';
import { webhooksQuery } from '#lib/queries/webhooks.ts';
import { isForbidden, dataIfPermitted } from '#lib/queries/data-if-permitted.ts';
import { useWebhookActions } from '../actions/use-webhook-actions.ts';
import { WebhookDialogs } from '../actions/webhook-dialogs.tsx';
import { SetUpFailure } from '../secret/set-up-failure.tsx';
import { WebhookList } from './webhook-list.tsx';
import { WebhookTableSkeleton } from './webhook-columns.tsx';
import { CreateWebhookLink, WebhooksHeading } from './webhooks-heading.tsx';

type WebhookListPageProps = {
  account: { id: string; name: string };
  personId: string;
  role: Role;
  publicUrl: string;
  /** The server's time, so that the first render in the browser equals the server's. */
  renderedAt: string;
};

/** The page with the list: loading, empty, failed or filled, and the dialogs of its rows. */
export function WebhookListPage({
  account,
  personId,
  role,
  publicUrl,
  renderedAt,
}: WebhookListPageProps) {
  const webhookActions = useWebhookActions({
    accountId: account.id,
    personId,
    role,
  });
  const { actions, shownDialog, opener, setUp, busyWebhook, failedChange } = webhookActions;
  const isDialogOpen = shownDialog !== null || setUp.stage.name === 'revealed';
  const read = useQuery({
    ...webhooksQuery(account.id),
    ...pageRefetchOptions({ isDialogOpen }),
  });
  const { data, error } = read;
  const now = useNow() ?? new Date(renderedAt);
  const finalFocus = useReturnFocus(opener, data);
  useNavigationFocus(!read.isFetching);
  const mayCreate = mayAct(role, 'webhooks.create');
  const webhooks = dataIfPermitted(data, error);
  const hasCreateAbove = mayCreate && !isForbidden(error) && webhooks?.length !== 0;

  return (
    <>
      <WebhooksHeading actions={hasCreateAbove ? <CreateWebhookLink /> : undefined} />
      <ReadFailure what="The list" shown="the webhooks" noun="webhooks" read={read} />
      <LazyFailedActionPanel failed={failedChange} className="mb-6" />
      <SetUpFailure setUp={setUp} webhooks={webhooks} className="mb-6" />
      {read.isPending && <WebhookTableSkeleton />}
      {webhooks?.length === 0 && <NoWebhooks publicUrl={publicUrl} canCreate={mayCreate} />}
      {webhooks && webhooks.length > 0 && (
        <WebhookList
          webhooks={webhooks}
          now={now}
          accountName={account.name}
          isBusy={read.isFetching}
          busyWebhook={busyWebhook}
          actions={actions}
        />
      )}
      <WebhookDialogs state={webhookActions} finalFocus={finalFocus} />
    </>
  );
}

type NoWebhooksProps = { publicUrl: string; canCreate: boolean };

function NoWebhooks({ publicUrl, canCreate }: NoWebhooksProps) {
  return (
    <EmptyState
      title="No webhooks yet"
      actions={canCreate ? <CreateWebhookLink /> : undefined}
      example={<CodeBlock title="Or create one with an API key" code={createByCurl(publicUrl)} />}
    >
      Enter an https URL of your server and choose the event types to send. The signing secret is
      shown once: at the end of the form, or when you regenerate it if the webhook was created with
      an API key. {!canCreate && 'An owner or an admin can create one.'}
    </EmptyState>
  );
}

/** Active only once its secret is known: otherwise nobody could verify the first deliveries. */
function createByCurl(publicUrl: string): string {
  return `# Creates it inactive, gets its signing secret, and activates it.
api() { curl -s -H "Authorization: Bearer $MESSAGING_API_KEY" -H "Content-Type: application/json" "$@"; }

id=$(api ${publicUrl}/api/v1/webhooks -d '{
  "name": "Order notifier",
  "url": "https://example.com/webhooks",
  "events": ["message.created"],
  "is_active": false
}' | sed 's/.*"uuid":"\\([^"]*\\)".*/\\1/')

api -X POST ${publicUrl}/api/v1/webhooks/$id/regenerate-secret
api -X PATCH ${publicUrl}/api/v1/webhooks/$id -d '{"is_active": true}'`;
}
