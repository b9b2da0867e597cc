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
import { ExactTime, RelativeTime } from '#components/ui/data-display/time.tsx';
import { PageLink } from '#components/ui/navigation/page-link.tsx';
import { requestActTable, wordRequestReason } from '#lib/contract/api-keys/rotation-reasons.ts';
import type { RotationRequest } from '#lib/contract/api-keys/rotation-requests.ts';

import { describeRequestOutcome } from '#components/shell/requests/describe-request-outcome.ts';
import { requestPath } from '#components/shell/requests/request-path.ts';

type RotationRequestTableProps = { requests?: readonly RotationRequest[]; personId?: string };

/** Without requests, the table while they are loading. */
export function RotationRequestTable({ requests, personId = '' }: RotationRequestTableProps) {
  return (
    <Table caption="Requests" isBusy={requests === undefined}>
      <TableHead>
        <ColumnHeader>Key or webhook</ColumnHeader>
        <ColumnHeader width={190} hideBelow="560px">
          From and to
        </ColumnHeader>
        <ColumnHeader width={290}>Outcome</ColumnHeader>
        <ColumnHeader width={110} hideBelow="740px">
          Asked
        </ColumnHeader>
      </TableHead>
      <TableBody>
        {requests === undefined ? (
          <SkeletonRows
            rows={5}
            cells={[
              { firstWidth: 180, secondWidth: 140, phoneLines: [190, 110], onPhone: 'main' },
              { firstWidth: 100, secondWidth: 100, hideBelow: '560px' },
              { firstWidth: 120, secondWidth: 200, onPhone: 'end' },
              { firstWidth: 70, hideBelow: '740px' },
            ]}
          />
        ) : (
          requests.map((request) => (
            <RequestRow key={request.uuid} request={request} personId={personId} />
          ))
        )}
      </TableBody>
    </Table>
  );
}

function RequestRow({ request, personId }: { request: RotationRequest; personId: string }) {
  const { requested_by: requester, member } = request;
  const { mark, label, detail } = describeRequestOutcome(request, personId);
  const nameOf = ({ id, name }: typeof member) => (id === personId ? 'you' : name);
  const outcome =
    request.state === 'open' ? (
      <>
        Expires <ExactTime form="short" value={request.expires_at} />
      </>
    ) : (
      detail
    );
  return (
    <Row>
      <Cell isRowHeader onPhone="main">
        <RowName>
          <PageLink href={requestPath(request)}>{request.target.name}</PageLink>
        </RowName>
        <SecondLine className="whitespace-normal">
          {requestActTable[request.act]} · {wordRequestReason(request)}
        </SecondLine>
        <SecondLine className="whitespace-normal sm:hidden">
          From {nameOf(requester)} to {nameOf(member)},{' '}
          <RelativeTime value={request.created_at} isMidSentence />
        </SecondLine>
        {outcome !== null && (
          <SecondLine className="whitespace-normal sm:hidden">{outcome}</SecondLine>
        )}
      </Cell>
      <Cell hideBelow="560px">
        <span className="block truncate">From {nameOf(requester)}</span>
        <SecondLine>To {nameOf(member)}</SecondLine>
      </Cell>
      <Cell onPhone="end">
        <Status
          mark={mark}
          sub={outcome === null ? undefined : <span className="max-sm:hidden">{outcome}</span>}
        >
          {label}
        </Status>
      </Cell>
      <Cell hideBelow="740px">
        <RelativeTime value={request.created_at} />
      </Cell>
    </Row>
  );
}
