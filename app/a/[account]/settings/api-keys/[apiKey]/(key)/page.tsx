import { unstable_rethrow } from 'next/navigation';

import { ApiKeyPage } from '#components/api-keys/page/api-key-page.tsx';
import { PageTitle } from '#components/shell/page/page-title.tsx';
import { PrefetchedQueries } from '#components/shell/page/prefetched-queries.tsx';
import { publicUrl } from '#lib/paths/public-url.ts';
import { apiKeyQuery } from '#lib/queries/api-keys.ts';
import { prefetch } from '#lib/queries/prefetch.ts';
import { requireSession } from '#lib/session/session.ts';
import { formatApiTime } from '#lib/time.ts';

import { pageTitles } from '../../../../page-titles.ts';
import { rotationRequestsState } from '../../rotation-requests-state.ts';
import { findApiKey } from '../find-api-key.ts';

type KeyPageProps = { params: Promise<{ apiKey: string }> };

export default async function KeyPage({ params }: KeyPageProps) {
  const reference = (await params).apiKey;
  const session = await requireSession();
  const apiKey = await found(reference);
  const [key, requests] = await Promise.all([
    prefetch(apiKeyQuery(session.account.id, reference), () => findApiKey(reference)),
    rotationRequestsState(session),
  ]);
  return (
    <PrefetchedQueries state={key}>
      <PageTitle>{apiKey?.name ?? pageTitles.apiKey}</PageTitle>
      <PrefetchedQueries state={requests}>
        <ApiKeyPage
          session={session}
          reference={reference}
          publicUrl={publicUrl()}
          renderedAt={formatApiTime(new Date())}
        />
      </PrefetchedQueries>
    </PrefetchedQueries>
  );
}

/**
 * Null for a key that could not be read just now: the page then reads it again and shows the error.
 */
async function found(reference: string) {
  try {
    return await findApiKey(reference);
  } catch (error) {
    unstable_rethrow(error);
    return null;
  }
}
