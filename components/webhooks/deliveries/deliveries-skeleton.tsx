import { Skeleton } from '#components/ui/data-display/skeleton.tsx';

import { DeliveryTableSkeleton } from './delivery-columns.tsx';

/** The filters and the table while the deliveries are loading. */
export function DeliveriesSkeleton() {
  return (
    <div aria-busy className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <div className="flex h-18 flex-col justify-around max-sm:h-40">
        <Skeleton width={340} />
        <Skeleton width={520} />
      </div>
      <DeliveryTableSkeleton />
    </div>
  );
}
