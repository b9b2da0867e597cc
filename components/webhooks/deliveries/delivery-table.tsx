import type { ReactNode } from 'react';

import { Status } from '#components/ui/data-display/status.tsx';
import {
  Cell,
  ColumnHeader,
  Row,
  SecondLine,
  type SkeletonCell,
  SkeletonRows,
  Table,
  TableBody,
  TableHead,
} from '#components/ui/data-display/table.tsx';
import { ExactTime, RelativeTime } from '#components/ui/data-display/time.tsx';
import type { Delivery } from '#lib/contract/deliveries/deliveries.ts';

import { deliveryOpenerId } from './delivery-opener.ts';
import { deliveryState } from './delivery-state.ts';
import { messageIdOf } from './message-id.ts';

type DeliveryTableProps = {
  deliveries: readonly Delivery[];
  webhook: { name: string; is_active: boolean };
  /** When the deliveries were read, which is every few seconds. */
  now: Date;
  isBusy: boolean;
  /** The uuid of the open delivery. */
  opened: string | null;
  onOpen: (uuid: string) => void;
};

/** The table of deliveries, newest first. */
export function DeliveryTable({
  deliveries,
  webhook,
  now,
  isBusy,
  opened,
  onOpen,
}: DeliveryTableProps) {
  return (
    <Columns caption={`Deliveries of ${webhook.name}`} isBusy={isBusy}>
      {deliveries.map((delivery) => (
        <DeliveryRow
          key={delivery.id}
          delivery={delivery}
          state={deliveryState(delivery, { isWebhookActive: webhook.is_active, now })}
          isOpen={delivery.uuid === opened}
          onOpen={() => onOpen(delivery.uuid)}
        />
      ))}
    </Columns>
  );
}

/** The table while its rows are loading. */
export function DeliveryTableSkeleton() {
  return (
    <Columns caption="Loading deliveries" isBusy>
      <SkeletonRows rows={4} cells={SKELETON} />
    </Columns>
  );
}

type ColumnsProps = { caption: string; isBusy?: boolean; children: ReactNode };

function Columns({ caption, isBusy = false, children }: ColumnsProps) {
  return (
    <Table caption={caption} lines="one" isBusy={isBusy}>
      <TableHead>
        <ColumnHeader width={216}>Status</ColumnHeader>
        <ColumnHeader width={188}>Event</ColumnHeader>
        <ColumnHeader width={168} hideBelow="740px">
          Message ID
        </ColumnHeader>
        <ColumnHeader width={84} hideBelow="560px" isNumeric>
          Attempts
        </ColumnHeader>
        <ColumnHeader>Last answer</ColumnHeader>
        <ColumnHeader width={108} isNumeric>
          Created
        </ColumnHeader>
      </TableHead>
      <TableBody>{children}</TableBody>
    </Table>
  );
}

type DeliveryRowProps = {
  delivery: Delivery;
  state: ReturnType<typeof deliveryState>;
  isOpen: boolean;
  onOpen: () => void;
};

function DeliveryRow({ delivery, state, isOpen, onOpen }: DeliveryRowProps) {
  const { event, attempt_count: attempts } = delivery;
  return (
    <Row isSelected={isOpen}>
      <Cell isRowHeader onPhone="main">
        <button
          type="button"
          id={deliveryOpenerId(delivery.uuid)}
          aria-haspopup="dialog"
          onClick={onOpen}
          // The whole row is clickable.
          className="press-row max-w-full cursor-default rounded-1 text-left"
        >
          <Status mark={state.mark}>{state.label}</Status>
          <span className="sr-only">
            : {event.type}, <ExactTime value={delivery.created_at} form="seconds" />, details
          </span>
        </button>
        <SecondLine mono className="sm:hidden">
          {event.type}
        </SecondLine>
      </Cell>
      <Cell>
        <span className="code block truncate text-ink-2">{event.type}</span>
      </Cell>
      <Cell hideBelow="740px">
        <span title={messageIdOf(event.uuid)} className="code block truncate text-ink-3">
          {shortenMessageId(messageIdOf(event.uuid))}
        </span>
      </Cell>
      <Cell hideBelow="560px" isNumeric className={attempts === 0 ? 'text-ink-3' : undefined}>
        {attempts}
      </Cell>
      <Cell onPhone="top-end">
        <LastAnswer delivery={delivery} />
      </Cell>
      {/* Above the row's clickable area, so that the exact time can be opened. */}
      <Cell isNumeric onPhone="bottom-end" className="[&>time]:relative [&>time]:z-1">
        <RelativeTime value={delivery.created_at} />
      </Cell>
    </Row>
  );
}

/** The start and the end of an ID. */
function shortenMessageId(messageId: string): string {
  return `${messageId.slice(0, 9)}…${messageId.slice(-4)}`;
}

/** The status code of the last answer, or why there was none. */
function LastAnswer({ delivery }: { delivery: Delivery }) {
  const { last_status_code: code, last_error: error } = delivery;
  if (code !== null) return <span className="code text-ink-2">{code}</span>;
  if (error === null) return <span className="text-ink-3">None yet</span>;
  return (
    <span title={error} className="block truncate text-ink-2 max-sm:max-w-40">
      {error}
    </span>
  );
}

const SKELETON: readonly SkeletonCell[] = [
  { firstWidth: 90, onPhone: 'main' },
  { firstWidth: 130 },
  { firstWidth: 110, hideBelow: '740px' },
  { firstWidth: 14, hideBelow: '560px' },
  { firstWidth: 30, onPhone: 'top-end' },
  { firstWidth: 64, onPhone: 'bottom-end' },
];
