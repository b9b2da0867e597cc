import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Code } from '#components/ui/data-display/code.tsx';
import { Drawer } from '#components/ui/overlays/drawer.tsx';
import { DrawerPart } from '#components/ui/overlays/drawer-part.tsx';
import { DrawerSteps } from '#components/ui/overlays/drawer-steps.tsx';
import { Status } from '#components/ui/data-display/status.tsx';
import type { MemberRights } from '#lib/contract/rights/member-rights.ts';
import type { Delivery } from '#lib/contract/deliveries/delivery.ts';
import type { Webhook } from '#lib/contract/webhooks/webhook.ts';
import { deliveryQuery } from '#lib/queries/deliveries.ts';
import { deliveryState } from '#components/shell/states/delivery-state.ts';
import { DrawerSkeleton } from '#components/shell/page/page-skeleton.tsx';
import { ReadFailure } from '#components/shell/page/read-failure.tsx';
import { DeliveryDetail } from './delivery-detail.tsx';
import { findDeliveryOpener } from './delivery-opener.ts';

type DeliveryDrawerProps = {
  webhook: Webhook;
  accountId: string;
  rights: MemberRights;
  /** The delivery to show. Null: the drawer is closed. */
  uuid: string | null;
  onOpen: (uuid: string | null) => void;
  /** The deliveries in the table, for the buttons to the previous and next one. */
  listed: readonly Delivery[];
  /** When `listed` was read, as a Unix time in milliseconds. */
  listedAt: number;
  onRetried: () => void;
};

export function DeliveryDrawer({
  uuid,
  onOpen,
  listed,
  accountId,
  webhook,
  rights,
  listedAt,
  onRetried,
}: DeliveryDrawerProps) {
  // Keeps the last delivery while the drawer closes.
  const [shown, setShown] = useState(uuid);
  if (uuid !== null && uuid !== shown) setShown(uuid);
  const read = useQuery({
    ...deliveryQuery(accountId, shown ?? ''),
    enabled: uuid !== null,
  });
  const { data, error } = read;
  const now = new Date(Math.max(read.dataUpdatedAt, listedAt));
  const delivery = data ?? listed.find((one) => one.uuid === shown);

  return (
    <Drawer
      open={uuid !== null}
      onClose={() => onOpen(null)}
      finalFocus={() => findDeliveryOpener(shown)}
      title={
        delivery ? (
          <Title delivery={delivery} webhook={webhook} now={now} />
        ) : (
          <span className="font-medium">Delivery</span>
        )
      }
      actions={<DrawerSteps noun="delivery" shown={shown} listed={listed} onOpen={onOpen} />}
    >
      {error && (
        <DrawerPart>
          <ReadFailure isLocal what="The delivery" noun="webhooks" read={read} />
        </DrawerPart>
      )}
      {data && (
        <DeliveryDetail
          key={data.uuid}
          delivery={data}
          webhook={webhook}
          accountId={accountId}
          rights={rights}
          now={now}
          onRetried={() => {
            void read.refetch();
            onRetried();
          }}
        />
      )}
      {!data && !error && <DrawerSkeleton />}
    </Drawer>
  );
}

type TitleProps = { delivery: Delivery; webhook: Webhook; now: Date };

function Title({ delivery, webhook, now }: TitleProps) {
  const state = deliveryState(delivery, { isWebhookActive: webhook.is_active, now });
  return (
    <span className="flex min-w-0 flex-wrap items-center gap-x-3.5">
      <Code className="text-[0.875rem] font-medium wrap-anywhere">{delivery.event.type}</Code>
      <Status mark={state.mark}>{state.label}</Status>
    </span>
  );
}
