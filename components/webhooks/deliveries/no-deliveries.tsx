import { NoMatch } from '#components/shell/page/page-states.tsx';
import { EmptyState } from '#components/ui/feedback/empty-state.tsx';

import { type DeliveryView, isFiltered } from './delivery-view.ts';
import { parseDeliverySearch } from './parse-delivery-search.ts';

type NoDeliveriesProps = { view: DeliveryView; onClear: () => void };

/** Shown in place of rows if there are no deliveries, or none that match the filters. */
export function NoDeliveries({ view, onClear }: NoDeliveriesProps) {
  if (parseDeliverySearch(view.q) === null) {
    return (
      <NoMatch
        title="Not an ID or a status code"
        hint="Enter a whole webhook-id, the UUID of an event, a delivery or a conversation, the ID of a conversation, or the status code of a response, such as 503."
        onClear={onClear}
      />
    );
  }
  if (isFiltered(view)) {
    return (
      <NoMatch
        title="No matching deliveries"
        hint="There are or were others. Old deliveries are deleted after a while."
        onClear={onClear}
      />
    );
  }
  return (
    <EmptyState isQuiet title="No deliveries yet">
      Each event is listed here once it is sent, with your server’s response.
    </EmptyState>
  );
}
