import { HydrationBoundary } from '@tanstack/react-query';

import { PageTitle } from '#components/shell/page/page-title.tsx';
import { SupportDesk } from '#components/support/search/support-desk.tsx';

import { prefetchRequests, requireDesk } from './desk.ts';

export default async function SupportDeskPage() {
  const { account_count: accountCount } = await requireDesk();
  return (
    <HydrationBoundary state={await prefetchRequests()}>
      <PageTitle>Support desk</PageTitle>
      <SupportDesk accountCount={accountCount} />
    </HydrationBoundary>
  );
}
