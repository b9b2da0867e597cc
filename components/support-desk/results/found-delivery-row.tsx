'use client';

import { Send } from 'lucide-react';

import { deliveryState } from '#components/shell/states/delivery-state.ts';
import { Status } from '#components/ui/data-display/status.tsx';
import { Cell, Row } from '#components/ui/data-display/table.tsx';
import { useEstimatedNow } from '#components/ui/rendering/use-now.ts';
import type { FoundDelivery } from '#lib/contract/support-desk/support-desk.ts';
import { accountPath } from '#lib/paths/account-path.ts';

import { ActionCell, LastUseCell, OpenLink, ResultHead } from './result-cells.tsx';
import { UnopenedRow } from './unopened-row.tsx';

type FoundDeliveryRowProps = { found: FoundDelivery };

/** A delivery that an id found, or what has the id if that was sent to no webhook. */
export function FoundDeliveryRow({ found }: FoundDeliveryRowProps) {
  const { account, details, named, uuid, webhook } = found;
  const now = useEstimatedNow();
  const name = webhook === null ? labels[named] : `${found.event_type} to ${webhook.name}`;
  const second = webhook === null ? 'Not sent to any webhook' : `${labels[named]} with this ID`;
  const page = webhook === null ? '' : `/${webhook.id}/deliveries?delivery=${uuid}`;
  const path = accountPath(account.id, `settings/webhooks${page}`);
  if (account.needs_reason) {
    return (
      <UnopenedRow {...{ account, name, path }} icon={<Send />} search="">
        {second}
      </UnopenedRow>
    );
  }
  const state =
    details && deliveryState(details, { isWebhookActive: details.is_webhook_active, now });
  return (
    <Row>
      <ResultHead {...{ account, name, path, second }} icon={<Send />} search="" />
      <Cell onPhone="top-end">{state && <Status mark={state.mark}>{state.label}</Status>}</Cell>
      <LastUseCell value={details?.last_attempt_at ?? null} act="sent" />
      <Cell hideBelow="740px" />
      <ActionCell onPhone={false}>
        <OpenLink href={path} of={name} />
      </ActionCell>
    </Row>
  );
}

const labels: Record<FoundDelivery['named'], string> = {
  delivery: 'Delivery',
  event: 'Event',
  message: 'Message',
  conversation: 'Conversation',
};
