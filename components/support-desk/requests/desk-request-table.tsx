import { RotateCw } from 'lucide-react';
import { describeRequestOutcome } from '#components/shell/requests/describe-request-outcome.ts';
import { Code } from '#components/ui/data-display/code.tsx';
import { Status } from '#components/ui/data-display/status.tsx';
import { type Cells, DataTable } from '#components/ui/data-display/data-table.tsx';
import {
  type Columns,
  DataTableSkeleton,
  RowName,
  SecondLine,
  WhenColumnHidden,
} from '#components/ui/data-display/table.tsx';
import { ExactTime } from '#components/ui/data-display/time.tsx';
import { accountPath } from '#lib/paths/account-path.ts';
import { requestActTable, describeRequestReason } from '#lib/contract/api-keys/rotation-reasons.ts';
import type { DeskRequest } from '#lib/contract/support-desk/desk-requests.ts';
import { OpenLink } from '../results/desk-table.tsx';

type Context = readonly DeskRequest[];

type DeskRequestTableProps = {
  caption: string;
  requests: readonly DeskRequest[];
  /** The requests are of an earlier filter. */
  isStale?: boolean;
};

export function DeskRequestTable({ caption, requests, isStale = false }: DeskRequestTableProps) {
  return (
    <DataTable
      caption={caption}
      columns={columns}
      cells={cells}
      isStale={isStale}
      rows={requests}
      context={requests}
      rowProps={({ uuid }) => ({ key: uuid })}
    />
  );
}

export function DeskRequestTableSkeleton() {
  return <DataTableSkeleton caption="Loading requests" columns={columns} rows={5} />;
}

const columns = [
  { id: 'target', header: 'Key or webhook', onPhone: 'main', skeleton: [150, 110] },
  { id: 'asked', header: 'Asked', width: 200, hideBelow: '880px', skeleton: [90, 120] },
  // There is no menu next to it.
  {
    id: 'outcome',
    header: 'Outcome',
    width: 290,
    onPhone: 'end',
    cellClass: 'max-sm:col-span-2',
    skeleton: [90, 160],
  },
  { id: 'requested', header: 'Requested', width: 110, hideBelow: '740px', skeleton: [80] },
  {
    id: 'action',
    header: 'What you can do',
    isHeaderHidden: true,
    width: 150,
    cellClass: 'text-right',
    onPhone: 'below',
    skeleton: [80],
  },
] as const satisfies Columns;

const cells: Cells<typeof columns, DeskRequest, Context> = {
  target: (request) => (
    <>
      <RowName>
        {request.can_open ? (
          <a href={requestPath(request)}>{request.target.name}</a>
        ) : (
          request.target.name
        )}
      </RowName>
      <SecondLine>
        <span className="flex">
          <span className="truncate">{request.account.name}</span>
          <span className="shrink-0 whitespace-pre">
            {' · '}
            {request.target.last_four === null ? (
              requestActTable[request.act]
            ) : (
              <Code isSmall>…{request.target.last_four}</Code>
            )}
          </span>
        </span>
      </SecondLine>
      <WhenColumnHidden hideBelow="880px">
        <SecondLine className="whitespace-normal max-sm:hidden">{askedOf(request)}</SecondLine>
      </WhenColumnHidden>
    </>
  ),
  asked: (request) => (
    <>
      <span className="block truncate">{request.member.name}</span>
      <SecondLine>{describeRequestReason(request)}</SecondLine>
    </>
  ),
  outcome: (request) => {
    const { mark, label, detail } = outcomeOf(request);
    return (
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
    );
  },
  requested: (request) => <ExactTime form="short" value={request.created_at} />,
  action: (request, requests) => {
    const { detail } = outcomeOf(request);
    return (
      <span className="flex items-center justify-end gap-4">
        <span className="flex-1 text-left text-micro wrap-anywhere text-ink-3 sm:hidden">
          <span className="block">{askedOf(request)}</span>
          {detail !== null && <span className="block">{detail}</span>}
          <End request={request} />
        </span>
        {request.can_open && <NextStep request={request} requests={requests} />}
      </span>
    );
  },
};

function outcomeOf(request: DeskRequest) {
  return describeRequestOutcome(request, request.requested_by.id);
}

/** Of an open request, the outcome names the member. */
function askedOf(request: DeskRequest): string {
  const reason = describeRequestReason(request);
  return request.state === 'open' ? reason : `To ${request.member.name}: ${reason}`;
}

/** When an open request expires, or when another one was closed. */
function End({
  request: { state, closed_at: closedAt, expires_at: expiresAt },
}: {
  request: DeskRequest;
}) {
  if (state !== 'open') return <ExactTime form="short" value={closedAt ?? expiresAt} />;
  return (
    <>
      Expires <ExactTime form="short" value={expiresAt} />
    </>
  );
}

/** Links to the request while it is open, and to its key or webhook afterwards. */
function NextStep({ request, requests }: { request: DeskRequest; requests: Context }) {
  const { account, act, target } = request;
  const isAskedAgain = requests.some(
    (other) => other.act === act && other.target.uuid === target.uuid && other.state === 'open',
  );
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
