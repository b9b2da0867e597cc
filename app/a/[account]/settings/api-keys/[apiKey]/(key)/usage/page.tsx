import { NuqsAdapter } from 'nuqs/adapters/next/app';
import { ApiKeyUsagePage } from '#components/api-keys/usage/usage-page.tsx';
import { PageTitle } from '#components/shell/page/page-title.tsx';
import { PrefetchedQueries } from '#components/shell/page/prefetched-queries.tsx';
import { prefetch, read } from '#lib/queries/prefetch.ts';
import { routeQuery } from '#lib/queries/route-query.ts';
import { requireSession } from '#lib/session/session.ts';
import { formatApiTime } from '#lib/time.ts';
import { keyUsageTitle } from '../../../../../page-titles.ts';
import { rotationRequestQueries } from '../../../../rotation-request-queries.ts';
import { nullIfUnreadable, orNotFound } from '../../../../failed-read.ts';

type KeyUsagePageProps = { params: Promise<{ apiKey: string }> };

export default async function KeyUsagePage({ params }: KeyUsagePageProps) {
  const reference = (await params).apiKey;
  const session = await requireSession();
  const input = { params: { apiKey: reference } };
  const apiKey = await nullIfUnreadable(orNotFound(read('getApiKey', input)));
  const state = await prefetch(
    routeQuery(session.account.id, 'getApiKey', input),
    ...rotationRequestQueries(session),
  );
  return (
    <PrefetchedQueries state={state}>
      <PageTitle>{keyUsageTitle(apiKey?.name)}</PageTitle>
      <NuqsAdapter>
        <ApiKeyUsagePage
          session={session}
          reference={reference}
          renderedAt={formatApiTime(new Date())}
        />
      </NuqsAdapter>
    </PrefetchedQueries>
  );
}
