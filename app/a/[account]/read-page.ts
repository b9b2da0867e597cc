import type { QueryClient } from '@tanstack/react-query';

import { memberMay, memberRightsOf } from '#lib/contract/member-rights.ts';
import type { Session } from '#lib/contract/people/sessions.ts';
import type { Act } from '#lib/contract/roles.ts';
import { accountQuery, accountUsageQuery } from '#lib/queries/people/account.ts';
import { apiKeysQuery } from '#lib/queries/api-keys.ts';
import { auditLogQuery } from '#lib/queries/audit-log.ts';
import { deliveriesQuery, deliveryTotalsQuery } from '#lib/queries/deliveries.ts';
import { installationSupportQuery } from '#lib/queries/people/installation-support.ts';
import { invitationsQuery } from '#lib/queries/people/invitations.ts';
import { membersQuery } from '#lib/queries/people/members.ts';
import { rotationRequestHistoryQuery } from '#lib/queries/rotation-requests.ts';
import { secondFactorsQuery } from '#lib/queries/people/second-factors.ts';
import {
  emailChangeQuery,
  mailPreferencesQuery,
  sessionsQuery,
} from '#lib/queries/people/session.ts';
import { webhookStatisticsQuery } from '#lib/queries/webhook-statistics.ts';
import { webhooksQuery } from '#lib/queries/webhooks.ts';

/**
 * Prefetches the data of the page at a full path, unless it was read a moment ago. Skips data that
 * the person may not see, and data about a single resource that is not in the browser's cache: the
 * service would refuse these reads.
 */
export function readPage(client: QueryClient, session: Session, path: string): void {
  const { id } = session.account;
  const [pathname = '', search] = path.split(/[?#]/);
  const [, , , , noun, uuid, tab] = pathname.split('/');
  const may = (act: Act) => memberMay(memberRightsOf(session), act);

  if (noun === 'api-keys' && uuid === undefined) void client.prefetchQuery(apiKeysQuery(id));
  if (noun === 'rotation-requests' && uuid === undefined) {
    void client.prefetchInfiniteQuery(rotationRequestHistoryQuery(id));
  }
  if (noun === 'webhooks' && uuid === undefined) void client.prefetchQuery(webhooksQuery(id));
  const webhooks = client.getQueryData(webhooksQuery(id).queryKey) ?? [];
  // A filter in the URL makes it another query.
  if (noun === 'webhooks' && search === undefined && webhooks.some((one) => one.uuid === uuid)) {
    readWebhook(client, { id, uuid: uuid ?? '', tab });
  }
  if (noun === 'team') {
    void client.prefetchQuery(membersQuery(id));
    void client.prefetchQuery(installationSupportQuery(id));
    if (may('team.manage')) void client.prefetchQuery(invitationsQuery(id));
  }
  if (noun === 'audit-log' && search === undefined && may('audit-log.read')) {
    void client.prefetchInfiniteQuery(auditLogQuery(id, {}));
    void client.prefetchQuery(membersQuery(id));
  }
  if (noun === 'account') {
    void client.prefetchQuery(accountQuery(id));
    void client.prefetchQuery(accountUsageQuery(id));
    void client.prefetchQuery(membersQuery(id));
    void client.prefetchQuery(installationSupportQuery(id));
  }
  if (noun === 'profile') {
    void client.prefetchQuery(emailChangeQuery(session));
    void client.prefetchQuery(mailPreferencesQuery(session));
  }
  if (noun === 'security') {
    void client.prefetchQuery(sessionsQuery(session));
    void client.prefetchQuery(secondFactorsQuery(session));
  }
}

type OpenedWebhook = { id: string; uuid: string; tab: string | undefined };

function readWebhook(client: QueryClient, { id, uuid, tab }: OpenedWebhook): void {
  if (tab === undefined) void client.prefetchQuery(webhookStatisticsQuery(id, uuid, '24h'));
  if (tab === 'deliveries') {
    void client.prefetchInfiniteQuery(deliveriesQuery(id, uuid, {}));
    void client.prefetchQuery(deliveryTotalsQuery(id, uuid));
  }
}
