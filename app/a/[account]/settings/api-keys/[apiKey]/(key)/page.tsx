import { ApiKeyPage } from '#components/api-keys/page/api-key-page.tsx';
import { PageTitle } from '#components/shell/page/page-title.tsx';
import { PrefetchedQueries } from '#components/shell/page/prefetched-queries.tsx';
import { publicUrl } from '#lib/paths/public-url.ts';
import { prefetch, read } from '#lib/queries/prefetch.ts';
import { routeQuery } from '#lib/queries/route-query.ts';
import { requireSession } from '#lib/session/session.ts';
import { formatApiTime } from '#lib/time.ts';
import { pageTitles } from '../../../../page-titles.ts';
import { rotationRequestQueries } from '../../../rotation-request-queries.ts';
import { nullIfUnreadable, orNotFound } from '../../../failed-read.ts';

type KeyPageProps = { params: Promise<{ apiKey: string }> };

export default async function KeyPage({ params }: KeyPageProps) {
  const reference = (await params).apiKey;
  const session = await requireSession();
  const apiKey = await nullIfUnreadable(
    orNotFound(read('getApiKey', { params: { apiKey: reference } })),
  );
  const { id } = session.account;
  const isRotating = apiKey !== null && apiKey.tokens.length > 1;
  const state = await prefetch(
    routeQuery(id, 'getApiKey', { params: { apiKey: reference } }),
    routeQuery(id, 'listTokensOfLeavers'),
    ...(isRotating ? [routeQuery(id, 'listTokenUse', { params: { apiKey: apiKey.uuid } })] : []),
    ...rotationRequestQueries(session),
  );
  return (
    <PrefetchedQueries state={state}>
      <PageTitle>{apiKey?.name ?? pageTitles.apiKey}</PageTitle>
      <ApiKeyPage
        session={session}
        reference={reference}
        publicUrl={publicUrl()}
        renderedAt={formatApiTime(new Date())}
      />
    </PrefetchedQueries>
  );
}
