'use client';

import { PageLink } from '#components/ui/navigation/page-link.tsx';
import { Status } from '#components/ui/data-display/status.tsx';
import { type Cells, DataTable } from '#components/ui/data-display/data-table.tsx';
import {
  type Columns,
  DataTableSkeleton,
  RowName,
  SecondLine,
} from '#components/ui/data-display/table.tsx';
import { RelativeTime } from '#components/ui/data-display/time.tsx';
import type { IncidentKey } from '#lib/contract/api-keys/incidents/incident-keys.ts';
import { countOf, formatCount } from '#lib/count.ts';

import { apiKeyPath } from '../api-key-path.ts';
import { formatResponsible } from '../format-responsible.ts';
import { MaskedToken } from '../masked-token.tsx';
import { NoUse } from '../last-use.tsx';
import { unusedTokensOf } from '../token-last-use.ts';
import type { SelectedKeys } from './use-key-selection.ts';

type Context = Pick<SelectedKeys, 'isChosen' | 'choose'>;

type IncidentKeyTableProps = Context & {
  caption: string;
  keys: readonly IncidentKey[];
  isBusy: boolean;
};

/** Keys, each with a tick box. */
export function IncidentKeyTable({
  caption,
  keys,
  isBusy,
  isChosen,
  choose,
}: IncidentKeyTableProps) {
  return (
    <DataTable
      caption={caption}
      columns={columns}
      cells={cells}
      isBusy={isBusy}
      rows={keys}
      context={{ isChosen, choose }}
      rowProps={(apiKey) => ({ key: apiKey.uuid, isEnded: !isChosen(apiKey) })}
    />
  );
}

export function IncidentKeyTableSkeleton() {
  return <DataTableSkeleton caption="Loading API keys" columns={columns} rows={5} />;
}

const columns = [
  { id: 'key', header: 'Key', onPhone: 'main', skeleton: [128, 60] },
  { id: 'creator', header: 'Created by', width: 190, hideBelow: '740px', skeleton: [96, 70] },
  { id: 'last_used', header: 'Last used', width: 150, hideBelow: '560px', skeleton: [80, 84] },
  {
    id: 'calls',
    header: 'Calls an hour',
    width: 128,
    isNumeric: true,
    onPhone: 'end',
    skeleton: [40, 64],
  },
] as const satisfies Columns;

const cells: Cells<typeof columns, IncidentKey, Context> = {
  key: (apiKey, { isChosen, choose }) => (
    <span className="flex items-start gap-2.5">
      {/* The area that can be pressed is larger than the box. */}
      <label className="-m-3.5 flex p-3.5">
        <input
          type="checkbox"
          className="tick-box"
          aria-label={`Include ${apiKey.name}, …${apiKey.last_four}`}
          checked={isChosen(apiKey)}
          onChange={(event) => choose(apiKey, event.target.checked)}
        />
      </label>
      <span className="min-w-0">
        <RowName>
          <PageLink href={apiKeyPath(apiKey)} title={apiKey.name}>
            {apiKey.name}
          </PageLink>
        </RowName>
        <SecondLine>
          <MaskedToken lastFour={apiKey.last_four} form="short" />
          {apiKey.live_tokens > 1 && ` · ${countOf(apiKey.live_tokens, 'valid token')}`}
        </SecondLine>
        {apiKey.responsible && (
          <SecondLine>Responsible: {formatResponsible(apiKey.responsible)}</SecondLine>
        )}
      </span>
    </span>
  ),
  creator: ({ created_by: creator, created_at: createdAt }) => (
    <>
      <span className="block truncate" title={creator.name}>
        {creator.name}
      </span>
      <SecondLine>
        <RelativeTime value={createdAt} />
      </SecondLine>
    </>
  ),
  last_used: (apiKey) =>
    apiKey.last_used_at === null ? (
      <NoUse unusedTokens={unusedTokensOf(apiKey)} />
    ) : (
      <>
        <RelativeTime value={apiKey.last_used_at} />
        <SecondLine mono>{apiKey.last_used_ip}</SecondLine>
      </>
    ),
  calls: (apiKey) => (
    <>
      <span className="tabular-nums">{formatCount(apiKey.calls_per_hour)}</span>
      {/* On a phone the columns have no headers. */}
      <span className="sm:hidden"> an hour</span>
      <SecondLine>
        {apiKey.is_in_use ? (
          <Status mark="ok">In use now</Status>
        ) : (
          `${formatCount(apiKey.calls_last_day)} in 24 h`
        )}
      </SecondLine>
    </>
  ),
};
