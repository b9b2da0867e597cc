import { HydrationBoundary } from '@tanstack/react-query';
import type { Metadata } from 'next';

import { ApiKeyListPage } from '#components/api-keys/list/api-key-list-page.tsx';
import { listApiKeys } from '#lib/api/api-keys.ts';
import { publicUrl } from '#lib/public-url.ts';
import { apiKeysQuery } from '#lib/queries/api-keys.ts';
import { prefetch } from '#lib/queries/prefetch.ts';
import { requireSession } from '#lib/session.ts';
import { formatApiTime } from '#lib/time.ts';

import { rotationRequestsState } from '../rotation-requests-state.ts';

export const metadata: Metadata = { title: 'API keys' };

export default async function ApiKeysPage() {
  const session = await requireSession();
  const [keys, requests] = await Promise.all([
    prefetch(apiKeysQuery(session.account.id), listApiKeys),
    rotationRequestsState(session),
  ]);
  return (
    <HydrationBoundary state={keys}>
      <HydrationBoundary state={requests}>
        <ApiKeyListPage
          viewer={session}
          publicUrl={publicUrl()}
          renderedAt={formatApiTime(new Date())}
        />
      </HydrationBoundary>
    </HydrationBoundary>
  );
}
