'use client';

import { useInfiniteQuery } from '@tanstack/react-query';
import { LoadOlder } from '#components/shell/page/load-older.tsx';
import { ReadFailure } from '#components/shell/page/read-failure.tsx';
import { useOlderPages } from '#components/shell/page/use-older-pages.ts';
import { EmptyState } from '#components/ui/feedback/empty-state.tsx';
import { canSeeAllRequests } from '#lib/contract/api-keys/can-see-all-requests.ts';
import { rotationRequestHistoryQuery } from '#lib/queries/requests.ts';
import { pageRefetchInterval } from '#lib/queries/refetch-interval.ts';
import { dataIfPermitted } from '#lib/queries/data-if-permitted.ts';
import type { Session } from '#lib/contract/people/sessions.ts';
import { RotationRequestTable, RotationRequestTableSkeleton } from './rotation-request-table.tsx';
import { RotationRequestsHeading } from './rotation-requests-heading.tsx';

export function RotationRequestListPage({ session }: { session: Session }) {
  const { account, role, person } = session;
  const { read, older } = useOlderPages(
    useInfiniteQuery({
      ...rotationRequestHistoryQuery(account.id),
      refetchInterval: pageRefetchInterval,
    }),
  );
  const { data, error } = read;
  const seesAll = canSeeAllRequests(role);
  const requests = dataIfPermitted(data, error)?.pages.flatMap((page) => page.data);
  return (
    <>
      <RotationRequestsHeading seesAll={seesAll} />
      <ReadFailure what="The requests" shown="them" noun="rotation requests" read={read} />
      {requests?.length === 0 && (
        <EmptyState title="No requests yet">
          {seesAll
            ? 'Members who cannot rotate a key, regenerate a secret or resume a webhook can ask someone who can. Their requests appear here.'
            : 'If you cannot rotate a key, regenerate a secret or resume a webhook, you can ask someone with access, on the page of the key or webhook.'}
        </EmptyState>
      )}
      {requests === undefined && !error && <RotationRequestTableSkeleton />}
      {requests !== undefined && requests.length > 0 && (
        <>
          <RotationRequestTable requests={requests} personId={person.id} />
          <LoadOlder
            older={older}
            what="The older requests"
            noun="rotation requests"
            className="mt-3"
          >
            Newest first.
          </LoadOlder>
        </>
      )}
    </>
  );
}
