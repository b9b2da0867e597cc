import { NuqsAdapter } from 'nuqs/adapters/next/app';
import { AuditLogPage } from '#components/audit-log/list/audit-log-page.tsx';
import { AuditLogHeading } from '#components/audit-log/list/audit-log-heading.tsx';
import { NoPermission } from '#components/shell/page/no-permission.tsx';
import { PageTitle } from '#components/shell/page/page-title.tsx';
import { PrefetchedQueries } from '#components/shell/page/prefetched-queries.tsx';
import { ButtonLink } from '#components/ui/buttons/button-link.tsx';
import { memberMay, memberRightsOf } from '#lib/contract/rights/member-rights.ts';
import { auditLogQuery } from '#lib/queries/audit-log.ts';
import { prefetch } from '#lib/queries/prefetch.ts';
import { routeQuery } from '#lib/queries/route-query.ts';
import { requireSession } from '#lib/session/session.ts';
import { pageTitles } from '../../page-titles.ts';

export default async function AuditLogSettingsPage() {
  const session = await requireSession();
  const { id } = session.account;
  if (!memberMay(memberRightsOf(session), 'audit-log.read')) {
    return (
      <>
        <PageTitle>{pageTitles.auditLog}</PageTitle>
        <AuditLogHeading />
        <NoPermission
          what="the audit log"
          who="Owners and admins can see it."
          actions={<ButtonLink href="settings/team">Open team</ButtonLink>}
        />
      </>
    );
  }
  const state = await prefetch(
    // If the URL has filters, the browser reads the entries itself.
    auditLogQuery(id, {}),
    routeQuery(id, 'listMembers'),
    routeQuery(id, 'getInstallationSupport'),
  );
  return (
    <PrefetchedQueries state={state}>
      <PageTitle>{pageTitles.auditLog}</PageTitle>
      <NuqsAdapter>
        <AuditLogPage accountId={id} />
      </NuqsAdapter>
    </PrefetchedQueries>
  );
}
