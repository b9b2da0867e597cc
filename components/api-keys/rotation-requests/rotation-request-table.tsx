import type { ReactNode } from 'react';
import { Status } from '#components/ui/data-display/status.tsx';
import { type Cells, DataTable } from '#components/ui/data-display/data-table.tsx';
import {
  type Columns,
  DataTableSkeleton,
  RowName,
  SecondLine,
} from '#components/ui/data-display/table.tsx';
import { ExactTime, RelativeTime } from '#components/ui/data-display/time.tsx';
import { PageLink } from '#components/ui/navigation/page-link.tsx';
import { requestActTable, describeRequestReason } from '#lib/contract/api-keys/rotation-reasons.ts';
import type { RotationRequest } from '#lib/contract/api-keys/rotation-requests.ts';
import { describeRequestOutcome } from '#components/shell/requests/describe-request-outcome.ts';
import { requestPath } from '#components/shell/requests/request-path.ts';

type Context = { personId: string };

type RotationRequestTableProps = Context & { requests: readonly RotationRequest[] };

export function RotationRequestTable({ requests, personId }: RotationRequestTableProps) {
  return (
    <DataTable
      caption="Requests"
      columns={columns}
      cells={cells}
      rows={requests}
      context={{ personId }}
      rowProps={({ uuid }) => ({ key: uuid })}
    />
  );
}

export function RotationRequestTableSkeleton() {
  return <DataTableSkeleton caption="Requests" columns={columns} rows={5} />;
}

const columns = [
  {
    id: 'target',
    header: 'Key or webhook',
    onPhone: 'main',
    skeleton: [180, 140],
    phoneSkeleton: [190, 110],
  },
  { id: 'people', header: 'From and to', width: 190, hideBelow: '560px', skeleton: [100, 100] },
  { id: 'outcome', header: 'Outcome', width: 290, onPhone: 'end', skeleton: [120, 200] },
  { id: 'asked', header: 'Asked', width: 110, hideBelow: '740px', skeleton: [70] },
] as const satisfies Columns;

const cells: Cells<typeof columns, RotationRequest, Context> = {
  target: (request, { personId }) => {
    const outcome = outcomeOf(request, personId);
    return (
      <>
        <RowName>
          <PageLink href={requestPath(request)}>{request.target.name}</PageLink>
        </RowName>
        <SecondLine className="whitespace-normal">
          {requestActTable[request.act]} · {describeRequestReason(request)}
        </SecondLine>
        <SecondLine className="whitespace-normal sm:hidden">
          From {nameOf(request.requested_by, personId)} to {nameOf(request.member, personId)},{' '}
          <RelativeTime value={request.created_at} isMidSentence />
        </SecondLine>
        {outcome !== null && (
          <SecondLine className="whitespace-normal sm:hidden">{outcome}</SecondLine>
        )}
      </>
    );
  },
  people: (request, { personId }) => (
    <>
      <span className="block truncate">From {nameOf(request.requested_by, personId)}</span>
      <SecondLine>To {nameOf(request.member, personId)}</SecondLine>
    </>
  ),
  outcome: (request, { personId }) => {
    const { mark, label } = describeRequestOutcome(request, personId);
    const outcome = outcomeOf(request, personId);
    return (
      <Status
        mark={mark}
        sub={outcome === null ? undefined : <span className="max-sm:hidden">{outcome}</span>}
      >
        {label}
      </Status>
    );
  },
  asked: (request) => <RelativeTime value={request.created_at} />,
};

function nameOf({ id, name }: RotationRequest['member'], personId: string): string {
  return id === personId ? 'you' : name;
}

function outcomeOf(request: RotationRequest, personId: string): ReactNode {
  if (request.state !== 'open') return describeRequestOutcome(request, personId).detail;
  return (
    <>
      Expires <ExactTime form="short" value={request.expires_at} />
    </>
  );
}
