'use client';

import { useInfiniteQuery } from '@tanstack/react-query';

import { Section } from '#components/shell/page/section.tsx';
import { ButtonLink } from '#components/ui/buttons/button-link.tsx';
import { deskRequestsPath } from '#lib/paths/account-path.ts';
import { deskRequestsQuery } from '#lib/queries/requests.ts';
import { pageRefetchInterval } from '#lib/queries/refetch-interval.ts';

import { DeskReadFailure } from '../desk-read-failure.tsx';
import { DeskRequestTable } from './desk-request-table.tsx';

const maxShown = 4;

/** The newest requests of the person, below the search; nothing if they made none. */
export function NewestRequests({ personId }: { personId: string }) {
  const { data, error, ...reading } = useInfiniteQuery({
    ...deskRequestsQuery(personId, null),
    refetchInterval: pageRefetchInterval,
  });
  const requests = data?.pages[0]?.data;
  if (!error && (requests === undefined || requests.length === 0)) return null;
  return (
    <Section
      title="My requests"
      action={
        <ButtonLink size="small" href={deskRequestsPath}>
          All requests
        </ButtonLink>
      }
    >
      {error && (
        <DeskReadFailure error={error} isShown={requests !== undefined} reading={reading} />
      )}
      {requests && (
        <DeskRequestTable caption="My newest requests" requests={requests.slice(0, maxShown)} />
      )}
    </Section>
  );
}
