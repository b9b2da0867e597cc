'use client';

import { useQuery } from '@tanstack/react-query';
import { usePathname } from 'next/navigation';
import type { ReactNode } from 'react';

import { PageArea } from '#components/shell/frame/page-area.tsx';
import { useFocusAfterNavigation } from '#components/shell/page/navigation-focus.tsx';
import { PageTitle } from '#components/shell/page/page-title.tsx';
import { findOpenRequests } from '#components/shell/requests/open-requests.ts';
import { ReadFailure } from '#components/shell/page/read-failure.tsx';
import { useActionFromUrl } from '#components/shell/page/use-action-from-url.ts';
import { useReturnFocus } from '#components/shell/page/use-return-focus.ts';
import { useFullPath } from '#components/ui/navigation/base-path.ts';
import { useNavigation, usePendingNavigation } from '#components/ui/navigation/navigation.tsx';
import { useNow } from '#components/ui/rendering/use-now.ts';
import { memberRightsOf } from '#lib/contract/rights/member-rights.ts';
import type { Session } from '#lib/contract/people/sessions.ts';
import type { Role } from '#lib/contract/rights/roles.ts';
import { pageRefetchOptions } from '#lib/queries/refetch-interval.ts';
import { routeQuery } from '#lib/queries/route-query.ts';
import { isNotFound, whilePermitted } from '#lib/queries/while-permitted.ts';

import { useWebhookActions } from '../actions/use-webhook-actions.ts';
import { WebhookDialogs } from '../actions/webhook-dialogs.tsx';
import { LazyFailedActionPanel } from '#components/shell/actions/lazy-failed-action-panel.tsx';
import { SetUpFailure } from '../secret/set-up-failure.tsx';
import { webhooksPath, webhookTabOf } from '../webhook-path.ts';
import { DeletedWebhook } from './deleted-webhook.tsx';
import { InactiveBanner } from './inactive-banner.tsx';
import { ShownWebhookContext } from './shown-webhook.ts';
import { useRefetchAfterNotFound } from './use-refetch-after-not-found.ts';
import { WebhookHeading } from './webhook-heading.tsx';
import { WebhookRequests } from './webhook-requests.tsx';
import { WebhookSkeleton } from './webhook-skeleton.tsx';
import { WebhookTabSkeleton } from './webhook-tab-skeleton.tsx';
import { WebhookTabs } from './webhook-tabs.tsx';
import { webhookTitle } from './webhook-title.ts';

type WebhookFrameProps = {
  account: Session['account'];
  personId: string;
  role: Role;
  /** From the URL: uuid or id. */
  reference: string;
  renderedAt: string;
  /** The open tab. */
  children: ReactNode;
};

/**
 * The parts that all tabs of a webhook's page share: its heading, its actions and their dialogs.
 */
export function WebhookFrame({
  account,
  personId,
  role,
  reference,
  renderedAt,
  children,
}: WebhookFrameProps) {
  const pathname = usePathname();
  const { goTo } = useNavigation();
  const pending = usePendingNavigation();
  const fullPath = useFullPath();
  const focusAfterNavigation = useFocusAfterNavigation();
  const webhookActions = useWebhookActions({
    accountId: account.id,
    personId,
    role,
    onDeleted: () => {
      focusAfterNavigation('main', webhooksPath);
      goTo(fullPath(webhooksPath), 'replace');
    },
  });
  const { actions, shownDialog, opener, setUp, busyWebhook, failedChange } = webhookActions;
  const isDialogOpen = shownDialog !== null || setUp.stage.name === 'revealed';
  const { data, error, ...reading } = useQuery({
    ...routeQuery(account.id, 'getWebhook', { params: { webhook: reference } }),
    ...pageRefetchOptions({ isDialogOpen }),
  });
  const finalFocus = useReturnFocus(opener, data);
  const now = useNow() ?? new Date(renderedAt);
  const isDeleted = isNotFound(error);
  const webhook = isDeleted ? undefined : whilePermitted(data, error);
  const { data: requests = [] } = useQuery({
    ...routeQuery(account.id, 'listRotationRequests'),
    ...pageRefetchOptions({ isDialogOpen }),
  });
  const openRequests = webhook ? findOpenRequests(webhook, { requests, personId, now }) : [];
  const isResumptionAsked = openRequests.some(({ act }) => act === 'resume');
  useRefetchAfterNotFound(
    routeQuery(account.id, 'getWebhook', { params: { webhook: reference } }).queryKey,
  );
  const isBusy = busyWebhook !== null;
  useActionFromUrl(webhook ?? null, (action, known) => {
    if (action !== 'regenerate' || known.status === 'pending_setup') return;
    actions.onRegenerate?.(known, null);
  });
  // Changes in the task after the press. Until then, the `current` variant marks the pressed tab.
  const openedTab = pending?.extent === 'tab' ? webhookTabOf(pending.path) : null;

  if (webhook === undefined && error === null) {
    return (
      <>
        <UnnamedTitle pathname={pathname} />
        <WebhookSkeleton pathname={pathname} />
      </>
    );
  }
  return (
    <>
      {webhook === undefined && <UnnamedTitle pathname={pathname} />}
      <WebhookHeading
        nameOfDeleted={isDeleted ? data?.name : undefined}
        webhook={webhook}
        now={now}
        actions={actions}
        isBusy={isBusy}
      />
      {isDeleted && <DeletedWebhook />}
      {error && !isDeleted && (
        <ReadFailure
          what="The webhook"
          noun="webhooks"
          error={error}
          isShown={webhook !== undefined}
          reading={reading}
        />
      )}
      {!isDeleted && (
        <>
          <LazyFailedActionPanel failed={failedChange} className="mb-6" />
          <SetUpFailure setUp={setUp} webhooks={webhook && [webhook]} className="mb-6" />
        </>
      )}
      {webhook && (
        <>
          <WebhookTabs
            label={webhook.name}
            reference={reference}
            current={openedTab ?? webhookTabOf(pathname)}
          />
          <WebhookRequests
            webhook={webhook}
            requests={openRequests}
            personId={personId}
            actions={actions}
          />
          <InactiveBanner
            webhook={webhook}
            actions={isResumptionAsked ? { ...actions, onAskToResume: undefined } : actions}
            isBusy={isBusy}
          />
          <PageArea extent="tab" skeleton={openedTab && <WebhookTabSkeleton tab={openedTab} />}>
            <div aria-busy={reading.isFetching || undefined} className="grid gap-10 max-sm:gap-8">
              <ShownWebhookContext
                value={{
                  webhook,
                  accountId: account.id,
                  reference,
                  rights: memberRightsOf({ account, role }),
                  now,
                  actions,
                  isBusy,
                }}
              >
                {children}
              </ShownWebhookContext>
            </div>
          </PageArea>
        </>
      )}
      <WebhookDialogs state={webhookActions} finalFocus={finalFocus} />
    </>
  );
}

/** The title while the open tab, whose own title has the webhook's name, is not shown. */
function UnnamedTitle({ pathname }: { pathname: string }) {
  return <PageTitle>{webhookTitle(webhookTabOf(pathname), undefined)}</PageTitle>;
}
