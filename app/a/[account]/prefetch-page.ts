import type { QueryClient } from '@tanstack/react-query';
import { memberMay, memberRightsOf } from '#lib/contract/rights/member-rights.ts';
import type { Session } from '#lib/contract/people/sessions.ts';
import type { Act } from '#lib/contract/rights/roles.ts';
import { pagePartsOf } from '#lib/paths/account-path.ts';
import { rotationRequestHistoryQuery } from '#lib/queries/requests.ts';
import { auditLogQuery } from '#lib/queries/audit-log.ts';
import { deliveriesQuery } from '#lib/queries/deliveries.ts';
import { eventsQuery } from '#lib/queries/events.ts';
import { routeQuery } from '#lib/queries/route-query.ts';
import { webhooksQuery, webhookStatisticsQuery } from '#lib/queries/webhooks.ts';

/**
 * Prefetches the data of the page at a full path, unless it was read a moment ago. Skips data that
 * the person may not see, and data about a single resource that is not in the browser's cache: the
 * service would refuse these reads.
 */
export function prefetchPage(client: QueryClient, session: Session, path: string): void {
  const { id: accountId } = session.account;
  const { area, id: uuid, subpage } = pagePartsOf(path);
  // A filter in the URL makes it another query.
  const isFiltered = /[?#]/.test(path);
  const may = (act: Act) => memberMay(memberRightsOf(session), act);

  if (area === 'api-keys' && uuid === undefined) {
    void client.prefetchQuery(routeQuery(accountId, 'listApiKeys'));
    void client.prefetchQuery(routeQuery(accountId, 'listTokensOfLeavers'));
  }
  if (area === 'rotation-requests' && uuid === undefined) {
    void client.prefetchInfiniteQuery(rotationRequestHistoryQuery(accountId));
  }
  if (area === 'webhooks' && uuid === undefined) {
    void client.prefetchQuery(webhooksQuery(accountId));
  }
  const webhooks = client.getQueryData(webhooksQuery(accountId).queryKey) ?? [];
  if (area === 'webhooks' && !isFiltered && webhooks.some((one) => one.uuid === uuid)) {
    prefetchWebhookPage(client, { accountId, uuid: uuid ?? '', tab: subpage });
  }
  if (area === 'events' && !isFiltered) {
    void client.prefetchInfiniteQuery(eventsQuery(accountId, {}));
    void client.prefetchQuery(webhooksQuery(accountId));
  }
  if (area === 'team') {
    void client.prefetchQuery(routeQuery(accountId, 'listMembers'));
    void client.prefetchQuery(routeQuery(accountId, 'getInstallationSupport'));
    if (may('team.manage')) void client.prefetchQuery(routeQuery(accountId, 'listInvitations'));
  }
  if (area === 'audit-log' && !isFiltered && may('audit-log.read')) {
    void client.prefetchInfiniteQuery(auditLogQuery(accountId, {}));
    void client.prefetchQuery(routeQuery(accountId, 'listMembers'));
  }
  if (area === 'account') {
    void client.prefetchQuery(routeQuery(accountId, 'getAccount'));
    void client.prefetchQuery(routeQuery(accountId, 'getAccountUsage'));
    void client.prefetchQuery(routeQuery(accountId, 'listMembers'));
    void client.prefetchQuery(routeQuery(accountId, 'getInstallationSupport'));
  }
  if (area === 'profile') {
    void client.prefetchQuery(routeQuery(session, 'getEmailChange'));
    void client.prefetchQuery(routeQuery(session, 'getMailPreferences'));
  }
  if (area === 'security') {
    void client.prefetchQuery(routeQuery(session, 'listSessions'));
    void client.prefetchQuery(routeQuery(session, 'getSecondFactors'));
  }
}

type WebhookPage = { accountId: string; uuid: string; tab: string | undefined };

function prefetchWebhookPage(client: QueryClient, { accountId, uuid, tab }: WebhookPage): void {
  if (tab === undefined) void client.prefetchQuery(webhookStatisticsQuery(accountId, uuid, '24h'));
  if (tab === 'deliveries') {
    void client.prefetchInfiniteQuery(deliveriesQuery(accountId, uuid, {}));
    void client.prefetchQuery(
      routeQuery(accountId, 'getDeliveryTotals', { params: { webhook: uuid } }),
    );
  }
}
