'use client';

import type { ReactNode } from 'react';

import { PageLink } from '#components/ui/navigation/page-link.tsx';
import { Status } from '#components/ui/data-display/status.tsx';
import { SkeletonRows } from '#components/ui/data-display/skeleton.tsx';
import {
  Cell,
  ColumnHeader,
  Row,
  RowName,
  SecondLine,
  Table,
  TableBody,
  TableHead,
} from '#components/ui/data-display/table.tsx';
import { RelativeTime } from '#components/ui/data-display/time.tsx';
import type { IncidentKey } from '#lib/contract/api-keys/incidents/incident-keys.ts';
import { countOf, formatCount } from '#lib/count.ts';

import { apiKeyPath } from '../api-key-path.ts';
import { formatResponsible } from '../format-responsible.ts';
import { MaskedToken } from '../masked-token.tsx';
import { NoUse } from '../last-use.tsx';
import { unusedTokensOf } from '../token-last-use.ts';

type IncidentKeyTableProps = {
  caption: string;
  isBusy?: boolean;
  /** The rows. Without them, skeleton rows are shown. */
  children?: ReactNode;
};

export function IncidentKeyTable({ caption, isBusy = false, children }: IncidentKeyTableProps) {
  return (
    <Table caption={caption} isBusy={isBusy}>
      <TableHead>
        <ColumnHeader>Key</ColumnHeader>
        <ColumnHeader width={190} hideBelow="740px">
          Created by
        </ColumnHeader>
        <ColumnHeader width={150} hideBelow="560px">
          Last used
        </ColumnHeader>
        <ColumnHeader width={128} isNumeric>
          Calls an hour
        </ColumnHeader>
      </TableHead>
      <TableBody>{children ?? <SkeletonRows rows={5} cells={skeleton} />}</TableBody>
    </Table>
  );
}

type IncidentKeyRowProps = {
  apiKey: IncidentKey;
  isChosen: boolean;
  onChoose: (isChosen: boolean) => void;
};

/** A key with a tick box. */
export function IncidentKeyRow({ apiKey, isChosen, onChoose }: IncidentKeyRowProps) {
  const { name, last_four: lastFour, created_by: creator, last_used_at: usedAt } = apiKey;
  return (
    <Row isEnded={!isChosen}>
      <Cell isRowHeader onPhone="main">
        <span className="flex items-start gap-2.5">
          {/* The area that can be pressed is larger than the box. */}
          <label className="-m-3.5 flex p-3.5">
            <input
              type="checkbox"
              className="tick-box"
              aria-label={`Include ${name}, …${lastFour}`}
              checked={isChosen}
              onChange={(event) => onChoose(event.target.checked)}
            />
          </label>
          <span className="min-w-0">
            <RowName>
              <PageLink href={apiKeyPath(apiKey)} title={name}>
                {name}
              </PageLink>
            </RowName>
            <SecondLine>
              <MaskedToken lastFour={lastFour} form="short" />
              {apiKey.live_tokens > 1 && ` · ${countOf(apiKey.live_tokens, 'valid token')}`}
            </SecondLine>
            {apiKey.responsible && (
              <SecondLine>Responsible: {formatResponsible(apiKey.responsible)}</SecondLine>
            )}
          </span>
        </span>
      </Cell>
      <Cell hideBelow="740px">
        <span className="block truncate" title={creator.name}>
          {creator.name}
        </span>
        <SecondLine>
          <RelativeTime value={apiKey.created_at} />
        </SecondLine>
      </Cell>
      <Cell hideBelow="560px">
        {usedAt === null ? (
          <NoUse unusedTokens={unusedTokensOf(apiKey)} />
        ) : (
          <>
            <RelativeTime value={usedAt} />
            <SecondLine mono>{apiKey.last_used_ip}</SecondLine>
          </>
        )}
      </Cell>
      <Cell isNumeric onPhone="end">
        <span className="tabular-nums">{formatCount(apiKey.calls_per_hour)}</span>
        {/* On a phone the columns have no headers. */}
        <span className="sm:hidden"> an hour</span>
        {apiKey.is_in_use ? (
          <SecondLine>
            <Status mark="ok">In use now</Status>
          </SecondLine>
        ) : (
          <SecondLine>{formatCount(apiKey.calls_last_day)} in 24 h</SecondLine>
        )}
      </Cell>
    </Row>
  );
}

const skeleton = [
  { firstWidth: 128, secondWidth: 60, onPhone: 'main' },
  { firstWidth: 96, secondWidth: 70, hideBelow: '740px' },
  { firstWidth: 80, secondWidth: 84, hideBelow: '560px' },
  { firstWidth: 40, secondWidth: 64, onPhone: 'end' },
] as const;
