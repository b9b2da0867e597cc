import { NuqsAdapter } from 'nuqs/adapters/next/app';
import { PageTitle } from '#components/shell/page/page-title.tsx';
import { PrefetchedQueries } from '#components/shell/page/prefetched-queries.tsx';
import { DeskRequestsPage } from '#components/support-desk/requests/desk-requests-page.tsx';
import { prefetchRequests, requireDesk } from '../desk.ts';

export default async function SupportRequestsPage() {
  const { person } = await requireDesk();
  return (
    // If the URL has a filter, the browser reads the requests itself.
    <PrefetchedQueries state={await prefetchRequests()}>
      <PageTitle>My requests</PageTitle>
      <NuqsAdapter>
        <DeskRequestsPage personId={person.id} />
      </NuqsAdapter>
    </PrefetchedQueries>
  );
}
