'use client';

import { useQuery } from '@tanstack/react-query';

import { useNavigationFocus } from '#components/shell/page/navigation-focus.tsx';
import { useReturnFocus } from '#components/shell/page/use-return-focus.ts';
import { useNow } from '#components/ui/rendering/use-now.ts';
import { mayAct, type Role } from '#lib/contract/rights/roles.ts';
import { pageRefetchOptions } from '#lib/queries/refetch-interval.ts';
import { webhooksQuery } from '#lib/queries/webhooks.ts';
import { isForbidden, whilePermitted } from '#lib/queries/while-permitted.ts';

import { LazyFailedActionPanel } from '#components/shell/actions/lazy-failed-action-panel.tsx';
import { NoWebhooks } from './no-webhooks.tsx';
import { SetUpFailure } from '../secret/set-up-failure.tsx';
import { useWebhookActions } from '../actions/use-webhook-actions.ts';
import { WebhookDialogs } from '../actions/webhook-dialogs.tsx';
import { WebhookList } from './webhook-list.tsx';
import { WebhookTableSkeleton } from './webhook-table.tsx';
import { ReadFailure } from '#components/shell/page/read-failure.tsx';
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
  const { data, error, ...reading } = useQuery({
    ...webhooksQuery(account.id),
    ...pageRefetchOptions({ isDialogOpen }),
  });
  const now = useNow() ?? new Date(renderedAt);
  const finalFocus = useReturnFocus(opener, data);
  useNavigationFocus(!reading.isFetching);
  const mayCreate = mayAct(role, 'webhooks.create');
  const webhooks = whilePermitted(data, error);
  const hasCreateAbove = mayCreate && !isForbidden(error) && webhooks?.length !== 0;

  return (
    <>
      <WebhooksHeading actions={hasCreateAbove ? <CreateWebhookLink /> : undefined} />
      {error && (
        <ReadFailure
          what="The list"
          shown="the webhooks"
          noun="webhooks"
          error={error}
          isShown={webhooks !== undefined}
          reading={reading}
        />
      )}
      <LazyFailedActionPanel failed={failedChange} className="mb-6" />
      <SetUpFailure setUp={setUp} webhooks={webhooks} className="mb-6" />
      {reading.isPending && <WebhookTableSkeleton />}
      {webhooks?.length === 0 && <NoWebhooks publicUrl={publicUrl} canCreate={mayCreate} />}
      {webhooks && webhooks.length > 0 && (
        <WebhookList
          webhooks={webhooks}
          now={now}
          accountName={account.name}
          isBusy={reading.isFetching}
          busyWebhook={busyWebhook}
          actions={actions}
        />
      )}
      <WebhookDialogs state={webhookActions} finalFocus={finalFocus} />
    </>
  );
}
