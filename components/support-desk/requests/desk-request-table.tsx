import { RotateCw } from 'lucide-react';

import { describeRequestOutcome } from '#components/shell/requests/describe-request-outcome.ts';
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
  WhenColumnHidden,
} from '#components/ui/data-display/table.tsx';
import { ExactTime } from '#components/ui/data-display/time.tsx';
import { accountPath } from '#lib/paths/account-path.ts';
import { requestActTable, wordRequestReason } from '#lib/contract/api-keys/rotation-reasons.ts';
import type { DeskRequest } from '#lib/contract/support-desk/desk-requests.ts';

import { ActionCell, OpenLink } from '../results/result-cells.tsx';

type DeskRequestTableProps = {
  caption: string;
  requests?: readonly DeskRequest[];
  /** The requests are of an earlier filter. */
  isStale?: boolean;
};

/** Without requests, the table while they are loading. */
export function DeskRequestTable({ caption, requests, isStale = false }: DeskRequestTableProps) {
  return (
    <Table caption={caption} isBusy={requests === undefined} isStale={isStale}>
      <TableHead>
        <ColumnHeader>Key or webhook</ColumnHeader>
        <ColumnHeader width={200} hideBelow="880px">
          Asked
        </ColumnHeader>
        <ColumnHeader width={290}>Outcome</ColumnHeader>
        <ColumnHeader width={110} hideBelow="740px">
          Requested
        </ColumnHeader>
        <ColumnHeader width={150} isHidden>
          What you can do
        </ColumnHeader>
      </TableHead>
      <TableBody>
        {requests === undefined ? (
          <SkeletonRows
            rows={5}
            cells={[
              { firstWidth: 150, secondWidth: 110, onPhone: 'main' },
              { firstWidth: 90, secondWidth: 120, hideBelow: '880px' },
              { firstWidth: 90, secondWidth: 160, onPhone: 'end' },
              { firstWidth: 80, hideBelow: '740px' },
              { firstWidth: 80, isActionOnPhone: true },
            ]}
          />
        ) : (
          requests.map((request) => (
            <RequestRow
              key={request.uuid}
              request={request}
              isAskedAgain={requests.some(
                ({ act, target, state }) =>
                  act === request.act && target.uuid === request.target.uuid && state === 'open',
              )}
            />
          ))
        )}
      </TableBody>
    </Table>
  );
}

type RequestRowProps = {
  request: DeskRequest;
  /** Whether a request for the same is open. */
  isAskedAgain: boolean;
};

function RequestRow({ request, isAskedAgain }: RequestRowProps) {
  const { account, target, member, requested_by: requester } = request;
  const { mark, label, detail } = describeRequestOutcome(request, requester.id);
  const reason = wordRequestReason(request);
  // Of an open request, the outcome names the member.
  const asked = request.state === 'open' ? reason : `To ${member.name}: ${reason}`;
  return (
    <Row>
      <Cell isRowHeader onPhone="main">
        <RowName>
          {request.can_open ? <a href={requestPath(request)}>{target.name}</a> : target.name}
        </RowName>
        <SecondLine>
          <span className="flex">
            <span className="truncate">{account.name}</span>
            <span className="shrink-0 whitespace-pre">
              {' · '}
              {target.last_four === null ? (
                requestActTable[request.act]
              ) : (
                <span translate="no" className="code-micro">
                  …{target.last_four}
                </span>
              )}
            </span>
          </span>
        </SecondLine>
        <WhenColumnHidden hideBelow="880px">
          <SecondLine className="whitespace-normal max-sm:hidden">{asked}</SecondLine>
        </WhenColumnHidden>
      </Cell>
      <Cell hideBelow="880px">
        <span className="block truncate">{member.name}</span>
        <SecondLine>{reason}</SecondLine>
      </Cell>
      <Cell
        onPhone="end"
        // There is no menu beside it.
        className="max-sm:col-span-2"
      >
        <Status
          mark={mark}
          sub={
            <span className="max-sm:hidden">
              {detail !== null && <span className="block wrap-anywhere">{detail}</span>}
              <End request={request} />
            </span>
          }
        >
          {label}
        </Status>
      </Cell>
      <Cell hideBelow="740px">
        <ExactTime form="short" value={request.created_at} />
      </Cell>
      <ActionCell>
        <span className="flex items-center justify-end gap-4">
          <span className="flex-1 text-left text-micro wrap-anywhere text-ink-3 sm:hidden">
            <span className="block">{asked}</span>
            {detail !== null && <span className="block">{detail}</span>}
            <End request={request} />
          </span>
          {request.can_open && <NextStep request={request} isAskedAgain={isAskedAgain} />}
        </span>
      </ActionCell>
    </Row>
  );
}

/** When a request expires, or when it was closed. */
function End({
  request: { closed_at: closedAt, expires_at: expiresAt },
}: {
  request: DeskRequest;
}) {
  if (closedAt !== null) return <ExactTime form="short" value={closedAt} />;
  return (
    <>
      Expires <ExactTime form="short" value={expiresAt} />
    </>
  );
}

/** Links to the request while it is open, and to its key or webhook afterwards. */
function NextStep({ request, isAskedAgain }: RequestRowProps) {
  const { account, act, target } = request;
  const isKey = act === 'rotate';
  const page = isKey ? 'api-keys' : 'webhooks';
  const targetPath = accountPath(account.id, `settings/${page}/${target.uuid}`);
  const openTarget = (
    <OpenLink href={targetPath} of={target.name}>
      {isKey ? 'Open key' : 'Open webhook'}
    </OpenLink>
  );
  switch (request.state) {
    case 'open':
      return (
        <OpenLink href={requestPath(request)} of={`for ${target.name}`}>
          Open request
        </OpenLink>
      );
    case 'declined':
    case 'expired':
    case 'withdrawn':
      if (isAskedAgain || !isKey) return openTarget;
      return (
        <OpenLink
          href={`${targetPath}?act=${request.reason === 'leaked' ? 'leak' : 'rotate'}`}
          of={target.name}
          icon={<RotateCw />}
        >
          Request again
        </OpenLink>
      );
    case 'done':
    case 'revoked':
      return openTarget;
  }
}

/** The page of a request, in the frame of its account. */
function requestPath({ account, uuid }: DeskRequest): string {
  return accountPath(account.id, `settings/rotation-requests/${uuid}`);
}
