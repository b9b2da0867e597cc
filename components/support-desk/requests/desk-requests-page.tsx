'use client';

import { useInfiniteQuery } from '@tanstack/react-query';
import { parseAsStringLiteral, useQueryState } from 'nuqs';
import { LoadOlder } from '#components/shell/page/load-older.tsx';
import { useOlderPages } from '#components/shell/page/use-older-pages.ts';
import { requestOutcomeLabels } from '#components/shell/requests/describe-request-outcome.ts';
import { Button } from '#components/ui/buttons/button.tsx';
import { EmptyState } from '#components/ui/feedback/empty-state.tsx';
import { Select } from '#components/ui/inputs/select/select.tsx';
import {
  rotationRequestStates,
  type RotationRequestState,
} from '#lib/contract/api-keys/rotation-reasons.ts';
import { countOf, formatCount } from '#lib/count.ts';
import { deskRequestsQuery } from '#lib/queries/requests.ts';
import { pageRefetchInterval } from '#lib/queries/refetch-interval.ts';
import { changeAddress } from '#components/ui/navigation/address-changes.ts';
import { DeskReadFailure } from '../desk-read-failure.tsx';
import { DeskRequestsHeading } from './desk-requests-heading.tsx';
import { DeskRequestTable, DeskRequestTableSkeleton } from './desk-request-table.tsx';

/** Every rotation request that the person made, in all accounts, with its outcome. */
export function DeskRequestsPage({ personId }: { personId: string }) {
  const [state, setState] = useRequestState();
  const { read, older } = useOlderPages(
    useInfiniteQuery({
      ...deskRequestsQuery(personId, state === 'any' ? null : state),
      refetchInterval: pageRefetchInterval,
    }),
  );
  const { data, error } = read;
  const requests = data?.pages.flatMap((page) => page.data);
  const isEmpty = requests?.length === 0;
  return (
    <>
      <DeskRequestsHeading />
      <DeskReadFailure read={read} />
      {!(isEmpty && state === 'any') && (
        <div className="mb-3 flex items-center gap-2">
          <Select label="Outcome" options={options} value={state} onChange={setState} />
          <span role="status" className="ml-auto text-small text-ink-3">
            {requests &&
              !read.isPlaceholderData &&
              describeCount(requests.length, read.hasNextPage)}
          </span>
        </div>
      )}
      {isEmpty && state === 'any' && (
        <EmptyState title="No requests yet">
          If you cannot see the token of a key, you can ask someone with access to rotate it. Find
          the key at the support desk and press Request rotation.
        </EmptyState>
      )}
      {isEmpty && state !== 'any' && (
        <EmptyState
          isQuiet
          title="No matching requests"
          actions={
            <Button focusesTitleOnRemoval onClick={() => setState('any')}>
              Show all
            </Button>
          }
        />
      )}
      {requests === undefined && !error && <DeskRequestTableSkeleton />}
      {requests !== undefined && requests.length > 0 && (
        <>
          <DeskRequestTable
            caption="My requests"
            requests={requests}
            isStale={read.isPlaceholderData}
          />
          <LoadOlder older={older} what="The older requests" noun="requests" className="mt-3">
            Newest first.
          </LoadOlder>
        </>
      )}
    </>
  );
}

const options = [
  { value: 'any', label: 'Any' } as const,
  ...rotationRequestStates.map((value) => ({ value, label: requestOutcomeLabels[value] })),
];

function describeCount(count: number, hasMore: boolean): string {
  return hasMore ? `${formatCount(count)}+ requests` : countOf(count, 'request');
}

type RequestStateFilter = RotationRequestState | 'any';

/** Which requests are listed, stored in the URL so that links, reload and Back keep it. */
function useRequestState(): [RequestStateFilter, (state: RequestStateFilter) => void] {
  const [state, setState] = useQueryState('state', parser);
  return [state, (next) => changeAddress(setState(next))];
}

const parser = parseAsStringLiteral([...rotationRequestStates, 'any'] as const).withDefault('any');
