import { RotationRequestPage } from '#components/api-keys/rotation-requests/rotation-request-page.tsx';
import { PageTitle } from '#components/shell/page/page-title.tsx';
import { PrefetchedQueries } from '#components/shell/page/prefetched-queries.tsx';
import { apiKeyQuery } from '#lib/queries/api-keys.ts';
import { prefetch } from '#lib/queries/prefetch.ts';
import { rotationRequestQuery } from '#lib/queries/rotation-requests.ts';
import { requireSession } from '#lib/session/session.ts';
import { formatApiTime } from '#lib/time.ts';

import { pageTitles } from '../../../page-titles.ts';
import { findApiKey } from '../../api-keys/[apiKey]/find-api-key.ts';
import { nullIfUnreadable } from '../../failed-read.ts';
import { prefetchRotationRequests } from '../../prefetch-rotation-requests.ts';
import { findRotationRequest } from './find-rotation-request.ts';

type RequestPageProps = { params: Promise<{ request: string }> };

export default async function RequestPage({ params }: RequestPageProps) {
  const { request: uuid } = await params;
  const session = await requireSession();
  const { id: accountId } = session.account;
  const request = await nullIfUnreadable(findRotationRequest(uuid));
  const key = request?.act === 'rotate' ? request.target.uuid : undefined;
  const state = await prefetch(
    [rotationRequestQuery(accountId, uuid), () => findRotationRequest(uuid)],
    ...prefetchRotationRequests(session),
    ...(key === undefined ? [] : [[apiKeyQuery(accountId, key), () => findApiKey(key)] as const]),
  );
  return (
    <PrefetchedQueries state={state}>
      <PageTitle>{pageTitles.rotationRequest}</PageTitle>
      <RotationRequestPage session={session} uuid={uuid} renderedAt={formatApiTime(new Date())} />
    </PrefetchedQueries>
  );
}
