'use client';

import { useQuery } from '@tanstack/react-query';
import { ReadFailure } from '#components/shell/page/read-failure.tsx';
import { ButtonLink } from '#components/ui/buttons/button-link.tsx';
import { type Cells, DataTable } from '#components/ui/data-display/data-table.tsx';
import {
  type Columns,
  DataTableSkeleton,
  RowName,
  SecondLine,
} from '#components/ui/data-display/table.tsx';
import { EmptyState } from '#components/ui/feedback/empty-state.tsx';
import { PageLink } from '#components/ui/navigation/page-link.tsx';
import type { OldToken } from '#lib/contract/api-keys/token-use.ts';
import { dataIfPermitted } from '#lib/queries/data-if-permitted.ts';
import { pageRefetchInterval } from '#lib/queries/refetch-interval.ts';
import { routeQuery } from '#lib/queries/route-query.ts';
import { apiKeyPath } from '../api-key-path.ts';
import { MaskedToken } from '../masked-token.tsx';
import { EndingVerdictText } from '../rotation/ending-verdict.tsx';
import { OldTokensHeading } from './api-keys-heading.tsx';

/** The old tokens of the account that still work, each with whether it can be ended. */
export function OldTokensPage({ accountId }: { accountId: string }) {
  const read = useQuery({
    ...routeQuery(accountId, 'listOldTokens'),
    refetchInterval: pageRefetchInterval,
  });
  const { data, error } = read;
  const tokens = dataIfPermitted(data, error);
  return (
    <>
      <OldTokensHeading />
      <ReadFailure what="The list" shown="the tokens" noun="API keys" read={read} />
      {read.isPending && (
        <DataTableSkeleton caption="Loading old tokens" columns={columns} rows={3} />
      )}
      {tokens?.length === 0 && (
        <EmptyState title="No old tokens">
          After a rotation, the old token is listed here until it ends.
        </EmptyState>
      )}
      {tokens && tokens.length > 0 && (
        <DataTable
          caption="Old tokens that still work"
          columns={columns}
          cells={cells}
          rows={tokens}
          context={null}
          rowProps={({ id }) => ({ key: id })}
        />
      )}
    </>
  );
}

const columns = [
  { id: 'key', header: 'API key', width: 220, onPhone: 'main', skeleton: [120, 80] },
  {
    id: 'verdict',
    header: 'Use',
    onPhone: 'below',
    cellClass: 'whitespace-normal',
    skeleton: [260, 320],
  },
  { id: 'open', header: 'Action', isHeaderHidden: true, width: 92, onPhone: 'end' },
] as const satisfies Columns;

const cells: Cells<typeof columns, OldToken, null> = {
  key: ({ api_key: key, last_four: lastFour }) => (
    <>
      <RowName>
        <PageLink href={apiKeyPath(key)}>{key.name}</PageLink>
      </RowName>
      <SecondLine>
        <MaskedToken lastFour={lastFour} form="fit" />
      </SecondLine>
    </>
  ),
  verdict: (token) => <EndingVerdictText use={token} />,
  open: ({ api_key: key, last_four: lastFour }) => (
    <ButtonLink size="small" block href={apiKeyPath(key)}>
      Open<span className="sr-only">: token …{lastFour}</span>
    </ButtonLink>
  ),
};
