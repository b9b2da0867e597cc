import { ApiKeyPage } from '#components/api-keys/page/api-key-page.tsx';
import { PageTitle } from '#components/shell/page/page-title.tsx';
import { PrefetchedQueries } from '#components/shell/page/prefetched-queries.tsx';
import { publicUrl } from '#lib/paths/public-url.ts';
import { apiKeyQuery } from '#lib/queries/api-keys.ts';
import { prefetch } from '#lib/queries/prefetch.ts';
import { requireSession } from '#lib/session/session.ts';
import { formatApiTime } from '#lib/time.ts';

import { pageTitles } from '../../../../page-titles.ts';
import { prefetchRotationRequests } from '../../../prefetch-rotation-requests.ts';
import { nullIfUnreadable } from '../../../failed-read.ts';
import { findApiKey } from '../find-api-key.ts';

type KeyPageProps = { params: Promise<{ apiKey: string }> };

export default async function KeyPage({ params }: KeyPageProps) {
  const reference = (await params).apiKey;
  const session = await requireSession();
  const apiKey = await nullIfUnreadable(findApiKey(reference));
  const state = await prefetch(
    [apiKeyQuery(session.account.id, reference), () => findApiKey(reference)],
    ...prefetchRotationRequests(session),
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
