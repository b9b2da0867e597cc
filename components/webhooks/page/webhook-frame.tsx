'use client';

import { hashKey, type QueryKey, useQuery, useQueryClient } from '@tanstack/react-query';
import { MessageSquareText } from 'lucide-react';
import { usePathname } from 'next/navigation';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { LazyFailedActionPanel } from '#components/shell/actions/lazy-failed-action-panel.tsx';
import { PageArea } from '#components/shell/frame/page-area.tsx';
import { useFocusAfterNavigation } from '#components/shell/page/navigation-focus.tsx';
import { PageTitle } from '#components/shell/page/page-title.tsx';
import { ReadFailure } from '#components/shell/page/read-failure.tsx';
import { useActionFromUrl } from '#components/shell/page/use-action-from-url.ts';
import { useReturnFocus } from '#components/shell/page/use-return-focus.ts';
import { findOpenRequests } from '#components/shell/requests/open-requests.ts';
import { requestPath } from '#components/shell/requests/request-path.ts';
import { RequestSummary } from '#components/shell/requests/request-summary.tsx';
import { ButtonLink } from '#components/ui/buttons/button-link.tsx';
import { Button } from '#components/ui/buttons/button.tsx';
import { Banner } from '#components/ui/feedback/banner.tsx';
import { useFullPath } from '#components/ui/navigation/base-path.ts';
import { useNavigation, usePendingNavigation } from '#components/ui/navigation/navigation.tsx';
import { useIsHydrated } from '#components/ui/rendering/use-is-hydrated.ts';
import { useNow } from '#components/ui/rendering/use-now.ts';
import { requestActTable, describeRequestReason } from '#lib/contract/api-keys/rotation-reasons.ts';
import type { RotationRequest } from '#lib/contract/api-keys/rotation-requests.ts';
import type { Session } from '#lib/contract/people/sessions.ts';
import { memberRightsOf } from '#lib/contract/rights/member-rights.ts';
import type { Role } from '#lib/contract/rights/roles.ts';
import type { Webhook } from '#lib/contract/webhooks/webhook.ts';
import { pageRefetchOptions } from '#lib/queries/refetch-interval.ts';
import { routeQuery } from '#lib/queries/route-query.ts';
import { isNotFound, dataIfPermitted } from '#lib/queries/data-if-permitted.ts';
import { useWebhookActions } from '../actions/use-webhook-actions.ts';
import type { WebhookActions } from '../actions/webhook-actions.ts';
import { WebhookDialogs } from '../actions/webhook-dialogs.tsx';
import { SetUpFailure } from '../secret/set-up-failure.tsx';
import { webhooksPath, webhookTabOf } from '../webhook-path.ts';
import { InactiveBanner } from './inactive-banner.tsx';
import { ShownWebhookContext } from './shown-webhook.ts';
import { WebhookHeading } from './webhook-heading.tsx';
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

/** What all tabs of a webhook's page share: its heading, its actions and their dialogs. */
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
  const read = useQuery({
    ...routeQuery(account.id, 'getWebhook', { params: { webhook: reference } }),
    ...pageRefetchOptions({ isDialogOpen }),
  });
  const { data, error } = read;
  const finalFocus = useReturnFocus(opener, data);
  const now = useNow() ?? new Date(renderedAt);
  const isDeleted = isNotFound(error);
  const webhook = isDeleted ? undefined : dataIfPermitted(data, error);
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
      {error && !isDeleted && <ReadFailure what="The webhook" noun="webhooks" read={read} />}
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
            <div aria-busy={read.isFetching || undefined} className="grid gap-10 max-sm:gap-8">
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

/** Replaces the page of a webhook that was deleted while the page was open. */
function DeletedWebhook() {
  // Renders rarely. Compiled for memoization, it would be larger.
  'use no memo';
  return (
    <>
      <Banner
        title="This webhook was deleted"
        action={<ButtonLink href={webhooksPath}>Go to webhooks</ButtonLink>}
      >
        Nothing is sent to it anymore.
      </Banner>
      <FocusTitle />
    </>
  );
}

/**
 * Moves the focus to the page's title when a link has led to the page, because the link is gone.
 * When the browser has loaded the page, the focus stays where it is.
 */
function FocusTitle() {
  // In the first render, this is false if the server sent the page.
  const [isFromLink] = useState(useIsHydrated());
  useEffect(() => {
    if (isFromLink && document.activeElement === document.body) {
      document.querySelector<HTMLElement>('h1')?.focus();
    }
  }, [isFromLink]);
  return null;
}

/** Refetches what the page is about once a part of it is not found, because it may be deleted. */
function useRefetchAfterNotFound(queryKey: QueryKey): void {
  const queryClient = useQueryClient();
  const hash = hashKey(queryKey);
  useEffect(
    () =>
      queryClient.getQueryCache().subscribe((event) => {
        if (event.type !== 'updated' || event.action.type !== 'error') return;
        if (event.query.queryHash === hash || !isNotFound(event.action.error)) return;
        void queryClient.invalidateQueries({ predicate: (query) => query.queryHash === hash });
      }),
    [queryClient, hash],
  );
}

type WebhookRequestsProps = {
  webhook: Webhook;
  /** The open requests about it, the most urgent first. */
  requests: readonly RotationRequest[];
  personId: string;
  actions: WebhookActions;
};

/** A banner for each open request about the webhook that the person made, received or may see. */
function WebhookRequests({ webhook, requests, personId, actions }: WebhookRequestsProps) {
  if (requests.length === 0) return null;
  return (
    <section aria-label="Requests" className="mb-6 grid gap-2 max-sm:mb-5">
      {requests.map((request) => (
        <OpenRequest
          key={request.uuid}
          request={request}
          webhook={webhook}
          personId={personId}
          actions={actions}
        />
      ))}
    </section>
  );
}

type OpenRequestProps = {
  request: RotationRequest;
  webhook: Webhook;
  personId: string;
  actions: WebhookActions;
};

function OpenRequest({ request, webhook, personId, actions }: OpenRequestProps) {
  const act = useRef<HTMLButtonElement>(null);
  const close = useRef<HTMLButtonElement>(null);
  const { member, requested_by: requester, note } = request;
  const isInvolved = [member.id, requester.id].includes(personId);
  const onAct = request.act === 'resume' ? actions.onResume : actions.onRegenerate;
  return (
    <Banner
      role="none"
      tone={request.reason === 'leaked' ? 'warn' : 'plain'}
      icon={<MessageSquareText />}
      title={<RequestSummary request={request} personId={personId} />}
      action={
        <div className="flex gap-2 max-sm:*:flex-1">
          {isInvolved ? (
            <Button
              ref={close}
              onClick={() => actions.onCloseRequest(webhook, close.current, request)}
            >
              {requester.id === personId ? 'Withdraw' : 'Decline'}
            </Button>
          ) : (
            <ButtonLink href={requestPath(request)}>Open request</ButtonLink>
          )}
          {onAct && (
            <Button ref={act} onClick={() => onAct(webhook, act.current)}>
              {requestActTable[request.act]}
            </Button>
          )}
        </div>
      }
    >
      {describeRequestReason(request)}. {note !== null && `“${note}”`}
    </Banner>
  );
}
