import { PageTitle } from '#components/shell/page/page-title.tsx';
import { PrefetchedQueries } from '#components/shell/page/prefetched-queries.tsx';
import { SupportDesk } from '#components/support-desk/search/support-desk.tsx';
import { prefetchDesk, requireDesk } from './desk.ts';

export default async function SupportDeskPage() {
  const desk = await requireDesk();
  return (
    <PrefetchedQueries state={await prefetchDesk()}>
      <PageTitle>Support desk</PageTitle>
      <SupportDesk desk={desk} />
    </PrefetchedQueries>
  );
}
