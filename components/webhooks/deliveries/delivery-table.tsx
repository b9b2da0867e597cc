import { History } from 'lucide-react';

import { NoValue } from '#components/ui/data-display/no-value.tsx';
import { Status } from '#components/ui/data-display/status.tsx';
import { Cell, RowsPlaceholder, Row, SecondLine } from '#components/ui/data-display/table.tsx';
import { ExactTime } from '#components/ui/data-display/time.tsx';
import { useFirstRows } from '#components/ui/rendering/use-first-rows.ts';
import { deliveryState } from '#components/shell/states/delivery-state.ts';
import type { Delivery } from '#lib/contract/deliveries/delivery.ts';
import { formatMilliseconds } from '#lib/time.ts';

import { deliveryOpenerId } from '../delivery/delivery-opener.ts';
import { DeliveryColumns } from './delivery-columns.tsx';

type DeliveryTableProps = {
  deliveries: readonly Delivery[];
  webhook: { name: string; is_active: boolean };
  /** When the deliveries were read, which is every few seconds. */
  now: Date;
  /** The rows are of an earlier filter. */
  isStale: boolean;
  /** The uuid of the open delivery. */
  opened: string | null;
  onOpen: (uuid: string) => void;
};

/** The table of deliveries, newest first. */
export function DeliveryTable({
  deliveries,
  webhook,
  now,
  isStale,
  opened,
  onOpen,
}: DeliveryTableProps) {
  const rows = useFirstRows(deliveries);
  return (
    <DeliveryColumns caption={`Deliveries of ${webhook.name}`} isStale={isStale}>
      {rows.map((delivery) => (
        <DeliveryRow
          key={delivery.id}
          delivery={delivery}
          state={deliveryState(delivery, { isWebhookActive: webhook.is_active, now })}
          isOpen={delivery.uuid === opened}
          onOpen={() => onOpen(delivery.uuid)}
        />
      ))}
      <RowsPlaceholder count={deliveries.length - rows.length} lines="one" />
    </DeliveryColumns>
  );
}

type DeliveryRowProps = {
  delivery: Delivery;
  state: ReturnType<typeof deliveryState>;
  isOpen: boolean;
  onOpen: () => void;
};

function DeliveryRow({ delivery, state, isOpen, onOpen }: DeliveryRowProps) {
  const { uuid, event, created_at: created, attempt_count: attempts } = delivery;
  const isReplayed = delivery.replay_uuid !== null;
  return (
    <Row isSelected={isOpen}>
      <Cell isRowHeader onPhone="main">
        <button
          type="button"
          id={deliveryOpenerId(uuid)}
          aria-haspopup="dialog"
          onClick={onOpen}
          // The whole row is clickable.
          className="press-row max-w-full cursor-default rounded-1 text-left"
        >
          <span className="max-sm:hidden">
            <ExactTime value={created} form="moment" />
            <span className="sr-only">
              : {event.type}
              {isReplayed && ', replayed'}, {state.label}, details
            </span>
          </span>
          <span className="sm:hidden">
            <Status mark={state.mark} tone="ink">
              <span translate="no" className="code">
                {event.type}
              </span>
            </Status>
            <span className="sr-only">
              , <ExactTime value={created} form="moment" />, details
            </span>
          </span>
        </button>
        <SecondLine className="pl-[21px] sm:hidden">
          {[
            state.label,
            isReplayed && 'Replayed',
            lastResponseOf(delivery),
            lastDurationOf(delivery),
          ]
            .filter((part) => part !== null && part !== false)
            .join(' · ')}
        </SecondLine>
      </Cell>
      <Cell
        onPhone="top-end"
        className="text-micro leading-5 text-ink-3 max-sm:col-span-2 sm:hidden"
      >
        <ExactTime value={created} form="moment" />
      </Cell>
      <Cell>
        <span className="flex min-w-0 items-center gap-1.5">
          <span translate="no" className="code truncate">
            {event.type}
          </span>
          {isReplayed && (
            <span title="Sent by a replay" className="shrink-0 text-ink-3">
              <History aria-hidden className="icon-14" />
            </span>
          )}
        </span>
      </Cell>
      <Cell>
        <Status mark={state.mark}>{state.label}</Status>
      </Cell>
      <Cell>
        <LastResponse delivery={delivery} />
      </Cell>
      <Cell hideBelow="700px" isNumeric>
        {lastDurationOf(delivery) ?? <NoValue />}
      </Cell>
      <Cell hideBelow="880px" isNumeric className={attempts === 0 ? 'text-ink-3' : undefined}>
        {attempts}
      </Cell>
      <Cell hideBelow="880px" isNumeric>
        <NextAttempt delivery={delivery} />
      </Cell>
    </Row>
  );
}

/** The status code of the last response, or why there was none. */
function lastResponseOf({ last_status_code: code, last_error: error }: Delivery): string | null {
  return code === null ? error : String(code);
}

function LastResponse({ delivery }: { delivery: Delivery }) {
  const { last_status_code: code, last_error: error } = delivery;
  if (code !== null)
    return (
      <span translate="no" className="code">
        {code}
      </span>
    );
  if (error === null) return <NoValue />;
  return (
    <span title={error} className="block truncate text-ink-2">
      {error}
    </span>
  );
}

function lastDurationOf({ last_duration_ms: duration }: Delivery): string | null {
  return duration === null ? null : formatMilliseconds(duration);
}

function NextAttempt({ delivery: { status, next_attempt_at: next } }: { delivery: Delivery }) {
  if (status !== 'pending' || next === null) return <NoValue />;
  return <ExactTime value={next} form="moment" />;
}
