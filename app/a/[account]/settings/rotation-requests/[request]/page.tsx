import { unstable_rethrow } from 'next/navigation';

import { RotationRequestPage } from '#components/api-keys/rotation-requests/rotation-request-page.tsx';
import { PageTitle } from '#components/shell/page/page-title.tsx';
import { PrefetchedQueries } from '#components/shell/page/prefetched-queries.tsx';
import { apiKeyQuery } from '#lib/queries/api-keys.ts';
import { prefetchAll } from '#lib/queries/prefetch.ts';
import { rotationRequestQuery, rotationRequestsQuery } from '#lib/queries/rotation-requests.ts';
import { listRotationRequests } from '#lib/api/rotation-requests.ts';
import { requireSession } from '#lib/session/session.ts';
import { formatApiTime } from '#lib/time.ts';

import { pageTitles } from '../../../page-titles.ts';
import { findApiKey } from '../../api-keys/[apiKey]/find-api-key.ts';
import { findRotationRequest } from './find-rotation-request.ts';

type RequestPageProps = { params: Promise<{ request: string }> };

export default async function RequestPage({ params }: RequestPageProps) {
  const { request: uuid } = await params;
  const session = await requireSession();
  const { id: accountId } = session.account;
  const key = (await found(uuid))?.api_key.uuid;
  const state = await prefetchAll([
    [rotationRequestQuery(accountId, uuid), () => findRotationRequest(uuid)],
    [rotationRequestsQuery(accountId), listRotationRequests],
    ...(key === undefined ? [] : [[apiKeyQuery(accountId, key), () => findApiKey(key)] as const]),
  ]);
  return (
    <PrefetchedQueries state={state}>
      <PageTitle>{pageTitles.rotationRequest}</PageTitle>
      <RotationRequestPage session={session} uuid={uuid} renderedAt={formatApiTime(new Date())} />
    </PrefetchedQueries>
  );
}

/**
 * Null for a request that could not be read just now: the page then reads it again and shows the
 * error.
 */
async function found(uuid: string) {
  try {
    return await findRotationRequest(uuid);
  } catch (error) {
    unstable_rethrow(error);
    return null;
  }
}
