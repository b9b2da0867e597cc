'use client';

import { useQuery } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';

import {
  useFocusAfterNavigation,
  useNavigationFocus,
} from '#components/shell/page/navigation-focus.tsx';
import { useReturnFocus } from '#components/shell/page/use-return-focus.ts';
import { useFullPath } from '#components/ui/navigation/base-path.ts';
import { useNow } from '#components/ui/rendering/use-now.ts';
import { ApiError } from '#lib/api/api-error.ts';
import { memberRightsOf } from '#lib/contract/api-keys/ceiling.ts';
import type { Session } from '#lib/contract/dashboard.ts';
import { mayAct, type Role } from '#lib/contract/roles.ts';
import { rereadInterval } from '#lib/queries/reread-interval.ts';
import { webhookQuery } from '#lib/queries/webhooks.ts';

import { FailedActionPanel } from '../failed-action-panel.tsx';
import { Deliveries } from '../deliveries/deliveries.tsx';
import { Health } from '../health/health.tsx';
import { SetUpFailure } from '../secret/set-up-failure.tsx';
import { useWebhookActions } from '../actions/use-webhook-actions.ts';
import { WebhookDialogs } from '../actions/webhook-dialogs.tsx';
import { WebhookBanners } from './webhook-banners.tsx';
import { WebhookFacts } from './webhook-facts.tsx';
import { WebhookHeading } from './webhook-heading.tsx';
import { webhooksPath } from '../webhook-path.ts';
import { WebhookSecret } from './webhook-secret.tsx';
import { WebhookSkeleton } from './webhook-skeleton.tsx';
import { ReadFailure } from '#components/shell/page/read-failure.tsx';

type WebhookPageProps = {
  account: Session['account'];
  role: Role;
  /** From the URL: uuid or id. */
  reference: string;
  renderedAt: string;
};

/** The page of one webhook, with its health, secret, deliveries, details and actions. */
export function WebhookPage({ account, role, reference, renderedAt }: WebhookPageProps) {
  const router = useRouter();
  const fullPath = useFullPath();
  const focusAfterNavigation = useFocusAfterNavigation();
  const webhookActions = useWebhookActions({
    accountId: account.id,
    role,
    onDeleted: () => {
      focusAfterNavigation('main');
      router.replace(fullPath(webhooksPath));
    },
  });
  const { actions, openDialog, opener, setUp, busyWebhook, failedAction } = webhookActions;
  const isDialogOpen = openDialog !== null || setUp.stage.name === 'revealed';
  const { data, error, ...reading } = useQuery({
    ...webhookQuery(account.id, reference),
    // While a dialog may show a secret, a refetch must not rerender what is below it.
    refetchOnWindowFocus: !isDialogOpen,
    refetchOnReconnect: !isDialogOpen,
    refetchInterval: isDialogOpen ? false : rereadInterval,
  });
  const finalFocus = useReturnFocus(opener, data);
  useNavigationFocus(!reading.isFetching);
  const now = useNow() ?? new Date(renderedAt);
  const isForbidden = error instanceof ApiError && error.code === 'FORBIDDEN';
  const webhook = isForbidden ? undefined : data;
  const isBusy = busyWebhook !== null;

  if (webhook === undefined && error === null) return <WebhookSkeleton />;
  return (
    <>
      <WebhookHeading webhook={webhook} now={now} actions={actions} isBusy={isBusy} />
      {error && (
        <ReadFailure
          what="The webhook"
          noun="webhooks"
          error={error}
          isShown={webhook !== undefined}
          reading={reading}
        />
      )}
      {failedAction && <FailedActionPanel failedAction={failedAction} className="mb-6" />}
      <SetUpFailure setUp={setUp} className="mb-6" />
      {webhook && (
        <div aria-busy={reading.isFetching || undefined} className="grid gap-10 max-sm:gap-8">
          <WebhookBanners
            webhook={webhook}
            accountId={account.id}
            reference={reference}
            now={now}
            actions={actions}
            isBusy={isBusy}
          />
          {webhook.status !== 'pending_setup' && mayAct(role, 'events.read') && (
            <Health accountId={account.id} reference={reference} />
          )}
          <WebhookSecret webhook={webhook} now={now} actions={actions} />
          {webhook.status !== 'pending_setup' && mayAct(role, 'events.read') && (
            <Deliveries
              webhook={webhook}
              accountId={account.id}
              reference={reference}
              rights={memberRightsOf({ account, role })}
            />
          )}
          <WebhookFacts webhook={webhook} />
        </div>
      )}
      <WebhookDialogs state={webhookActions} finalFocus={finalFocus} />
    </>
  );
}
