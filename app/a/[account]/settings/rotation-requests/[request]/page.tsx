import { RotationRequestPage } from '#components/api-keys/rotation-requests/rotation-request-page.tsx';
import { PageTitle } from '#components/shell/page/page-title.tsx';
import { PrefetchedQueries } from '#components/shell/page/prefetched-queries.tsx';
import { prefetch, read } from '#lib/queries/prefetch.ts';
import { routeQuery } from '#lib/queries/route-query.ts';
import { requireSession } from '#lib/session/session.ts';
import { formatApiTime } from '#lib/time.ts';
import { pageTitles } from '../../../page-titles.ts';
import { nullIfUnreadable, orNotFound } from '../../failed-read.ts';
import { rotationRequestQueries } from '../../rotation-request-queries.ts';

type RequestPageProps = { params: Promise<{ request: string }> };

export default async function RequestPage({ params }: RequestPageProps) {
  const { request: uuid } = await params;
  const session = await requireSession();
  const { id: accountId } = session.account;
  const request = await nullIfUnreadable(
    orNotFound(read('getRotationRequest', { params: { rotationRequest: uuid } })),
  );
  const key = request?.act === 'rotate' ? request.target.uuid : undefined;
  const state = await prefetch(
    routeQuery(accountId, 'getRotationRequest', { params: { rotationRequest: uuid } }),
    ...rotationRequestQueries(session),
    ...(key === undefined ? [] : [routeQuery(accountId, 'getApiKey', { params: { apiKey: key } })]),
  );
  return (
    <PrefetchedQueries state={state}>
      <PageTitle>{pageTitles.rotationRequest}</PageTitle>
      <RotationRequestPage session={session} uuid={uuid} renderedAt={formatApiTime(new Date())} />
    </PrefetchedQueries>
  );
}
