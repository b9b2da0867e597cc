import { History } from 'lucide-react';
import { Code } from '#components/ui/data-display/code.tsx';
import { NoValue } from '#components/ui/data-display/no-value.tsx';
import { Status } from '#components/ui/data-display/status.tsx';
import { type Cells, DataTable } from '#components/ui/data-display/data-table.tsx';
import { SecondLine } from '#components/ui/data-display/table.tsx';
import { ExactTime } from '#components/ui/data-display/time.tsx';
import { deliveryState } from '#components/shell/states/delivery-state.ts';
import type { Delivery } from '#lib/contract/deliveries/delivery.ts';
import { formatMilliseconds } from '#lib/time.ts';
import { deliveryOpenerId } from '../delivery/delivery-opener.ts';
import { deliveryColumns } from './delivery-columns.tsx';

type Context = {
  /** When the deliveries were read, which is every few seconds. */
  now: Date;
  isWebhookActive: boolean;
  onOpen: (uuid: string) => void;
};

type DeliveryTableProps = Context & {
  deliveries: readonly Delivery[];
  webhookName: string;
  /** The rows are of an earlier filter. */
  isStale: boolean;
  opened: string | null;
};

/** The table of deliveries, newest first. */
export function DeliveryTable({
  deliveries,
  webhookName,
  isStale,
  opened,
  now,
  isWebhookActive,
  onOpen,
}: DeliveryTableProps) {
  return (
    <DataTable
      caption={`Deliveries of ${webhookName}`}
      columns={deliveryColumns}
      cells={cells}
      lines="one"
      isStale={isStale}
      rows={deliveries}
      context={{ now, isWebhookActive, onOpen }}
      rowProps={({ id, uuid }) => ({ key: id, isSelected: uuid === opened })}
    />
  );
}

const cells: Cells<typeof deliveryColumns, Delivery, Context> = {
  created: (delivery, context) => {
    const { uuid, event, created_at: created } = delivery;
    const state = deliveryState(delivery, context);
    const isReplayed = delivery.replay_uuid !== null;
    return (
      <>
        <button
          type="button"
          id={deliveryOpenerId(uuid)}
          aria-haspopup="dialog"
          onClick={() => context.onOpen(uuid)}
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
              <Code>{event.type}</Code>
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
      </>
    );
  },
  moment: (delivery) => <ExactTime value={delivery.created_at} form="moment" />,
  event: (delivery) => (
    <span className="flex min-w-0 items-center gap-1.5">
      <Code className="truncate">{delivery.event.type}</Code>
      {delivery.replay_uuid !== null && (
        <span title="Sent by a replay" className="shrink-0 text-ink-3">
          <History aria-hidden className="icon-14" />
        </span>
      )}
    </span>
  ),
  state: (delivery, context) => {
    const { mark, label } = deliveryState(delivery, context);
    return <Status mark={mark}>{label}</Status>;
  },
  response: (delivery) => <LastResponse delivery={delivery} />,
  took: (delivery) => lastDurationOf(delivery) ?? <NoValue />,
  attempts: ({ attempt_count: attempts }) =>
    attempts === 0 ? <span className="text-ink-3">0</span> : attempts,
  next: ({ status, next_attempt_at: next }) =>
    status !== 'pending' || next === null ? <NoValue /> : <ExactTime value={next} form="moment" />,
};

/** The status code of the last response, or why there was none. */
function lastResponseOf({ last_status_code: code, last_error: error }: Delivery): string | null {
  return code === null ? error : String(code);
}

function LastResponse({ delivery }: { delivery: Delivery }) {
  const { last_status_code: code, last_error: error } = delivery;
  if (code !== null) return <Code>{code}</Code>;
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
