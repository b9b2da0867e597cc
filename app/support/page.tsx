import { PageTitle } from '#components/shell/page/page-title.tsx';
import { SupportDesk } from '#components/support/search/support-desk.tsx';

import { requireDesk } from './desk.ts';

export default async function SupportDeskPage() {
  const { account_count: accountCount } = await requireDesk();
  return (
    <>
      <PageTitle>Support desk</PageTitle>
      <SupportDesk accountCount={accountCount} />
    </>
  );
}
