import { useQueryClient } from '@tanstack/react-query';
import { Clock } from 'lucide-react';
import { ActionButton } from '#components/shell/actions/action-button.tsx';
import { FailedActionPanel } from '#components/shell/actions/failed-action-panel.tsx';
import { useAction } from '#components/shell/actions/use-action.ts';
import { Banner } from '#components/ui/feedback/banner.tsx';
import { createReplay } from '#lib/actions/webhooks.ts';
import type { DeliveryTotals } from '#lib/contract/deliveries/delivery-totals.ts';
import type { Webhook } from '#lib/contract/webhooks/webhook.ts';
import { countOf, formatCount } from '#lib/count.ts';
import { routeQuery } from '#lib/queries/route-query.ts';
import { useFollowedReplay } from './use-followed-replay.ts';

type WaitingDeliveriesProps = {
  webhook: Webhook;
  accountId: string;
  /** How many deliveries wait, for a retry or for their first attempt behind those. */
  waiting: DeliveryTotals['pending'];
};

/** Deliveries wait for a retry although the server responds again: a button sends them now. */
export function WaitingDeliveries({ webhook, accountId, waiting }: WaitingDeliveriesProps) {
  const client = useQueryClient();
  const [followed, follow] = useFollowedReplay();
  const { run, ...action } = useAction();
  if (followed !== null) return null;

  function sendAll() {
    const body = { since: webhook.created_at, status: 'pending' } as const;
    run(() => createReplay({ params: { webhook: webhook.uuid }, body }), {
      onDone: ({ data: replay }) => {
        if (!('uuid' in replay)) return;
        client.setQueryData(
          routeQuery(accountId, 'getReplay', { params: { replay: replay.uuid } }).queryKey,
          replay,
        );
        follow(replay.uuid);
      },
    });
  }

  return (
    <Banner
      role="none"
      icon={<Clock />}
      title={`${describeWaiting(waiting)} waiting since the outage`}
      action={
        <ActionButton size="small" action={action} onClick={sendAll}>
          Send all waiting now
        </ActionButton>
      }
    >
      The receiver accepts events again. You can send these now instead of waiting for their
      retries.
      {action.failedAction && (
        <FailedActionPanel
          className="mt-2"
          failedAction={action.failedAction}
          notDone="The deliveries are not being sent now"
          unknown="We could not confirm whether the deliveries are being sent now"
        />
      )}
    </Banner>
  );
}

function describeWaiting({ count, has_more: hasMore }: DeliveryTotals['pending']): string {
  return hasMore ? `More than ${formatCount(count)} events` : countOf(count, 'event');
}
