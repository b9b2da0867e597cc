import { NoMatch } from '#components/shell/page/page-states.tsx';
import { EmptyState } from '#components/ui/feedback/empty-state.tsx';

import { type DeliveryView, isFiltered } from './delivery-view.ts';

type NoDeliveriesProps = { view: DeliveryView; onClear: () => void };

/** Shown in place of rows if there are no deliveries, or none that match the filters. */
export function NoDeliveries({ view, onClear }: NoDeliveriesProps) {
  if (isFiltered(view)) {
    return (
      <NoMatch
        title="No delivery is like this"
        hint="Others are there, or were: what is old is removed after a while."
        onClear={onClear}
      />
    );
  }
  return (
    <EmptyState isQuiet title="Nothing was sent yet">
      As soon as one of its events happens, it stands here with what your server answered.
    </EmptyState>
  );
}
