'use client';

import { useQuery } from '@tanstack/react-query';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { useState } from 'react';

import { Drawer } from '#components/ui/overlays/drawer.tsx';
import { DrawerPart } from '#components/ui/overlays/drawer-part.tsx';
import { IconButton } from '#components/ui/buttons/icon-button.tsx';
import { Status } from '#components/ui/data-display/status.tsx';
import { Skeleton } from '#components/ui/data-display/skeleton.tsx';
import type { MemberRights } from '#lib/contract/rights/member-rights.ts';
import type { Delivery } from '#lib/contract/deliveries/delivery.ts';
import type { Webhook } from '#lib/contract/webhooks/webhook.ts';
import { deliveryQuery } from '#lib/queries/deliveries.ts';

import { deliveryState } from '#components/shell/states/delivery-state.ts';
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

/** A drawer with the details of one delivery. */
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
  const { data, error, ...reading } = useQuery({
    ...deliveryQuery(accountId, shown ?? ''),
    enabled: uuid !== null,
  });
  const now = new Date(Math.max(reading.dataUpdatedAt, listedAt));
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
      actions={<PreviousAndNext shown={shown} listed={listed} onOpen={onOpen} />}
    >
      {error && (
        <DrawerPart>
          <ReadFailure
            isLocal
            what="The delivery"
            noun="webhooks"
            error={error}
            isShown={data !== undefined}
            reading={reading}
          />
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
            void reading.refetch();
            onRetried();
          }}
        />
      )}
      {!data && !error && <DetailSkeleton />}
    </Drawer>
  );
}

type TitleProps = { delivery: Delivery; webhook: Webhook; now: Date };

function Title({ delivery, webhook, now }: TitleProps) {
  const state = deliveryState(delivery, { isWebhookActive: webhook.is_active, now });
  return (
    <span className="flex min-w-0 flex-wrap items-center gap-x-3.5">
      <span translate="no" className="code text-[0.875rem] font-medium wrap-anywhere">
        {delivery.event.type}
      </span>
      <Status mark={state.mark}>{state.label}</Status>
    </span>
  );
}

type PreviousAndNextProps = Pick<DeliveryDrawerProps, 'listed' | 'onOpen'> & {
  shown: string | null;
};

function PreviousAndNext({ shown, listed, onOpen }: PreviousAndNextProps) {
  const position = listed.findIndex(({ uuid }) => uuid === shown);
  if (position === -1) return null;
  const newer = listed[position - 1];
  const older = listed[position + 1];
  return (
    <>
      <span role="status" className="sr-only">
        {position + 1} of {listed.length} shown
      </span>
      <IconButton
        label="Newer delivery"
        icon={<ArrowUp />}
        aria-disabled={newer === undefined}
        className={disabledClass}
        onClick={() => newer && onOpen(newer.uuid)}
      />
      <IconButton
        label="Older delivery"
        icon={<ArrowDown />}
        aria-disabled={older === undefined}
        className={disabledClass}
        onClick={() => older && onOpen(older.uuid)}
      />
    </>
  );
}

const disabledClass = 'aria-disabled:bg-transparent aria-disabled:[&>svg]:opacity-50';

function DetailSkeleton() {
  return (
    <DrawerPart>
      <div aria-hidden className="grid grid-cols-1 gap-3">
        <Skeleton width={320} />
        <Skeleton width={200} />
        <Skeleton width={240} />
      </div>
    </DrawerPart>
  );
}
