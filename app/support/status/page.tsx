import { PageTitle } from '#components/shell/page/page-title.tsx';
import { PrefetchedQueries } from '#components/shell/page/prefetched-queries.tsx';
import { StatusPage } from '#components/support-desk/status/status-page.tsx';
import { prefetchStatus, requireDesk } from '../desk.ts';

export default async function InstallationStatusPage() {
  const { person } = await requireDesk();
  return (
    <PrefetchedQueries state={await prefetchStatus()}>
      <PageTitle>Status</PageTitle>
      <StatusPage personId={person.id} />
    </PrefetchedQueries>
  );
}
