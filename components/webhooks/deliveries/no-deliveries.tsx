import { NoMatch } from '#components/shell/page/no-match.tsx';
import { EmptyState } from '#components/ui/feedback/empty-state.tsx';
import { countOf } from '#lib/count.ts';
import { type DeliveryView, isFiltered, isNarrowed } from './delivery-view.ts';
import { isSuccessStatus, parseDeliverySearch } from './parse-delivery-search.ts';

type NoDeliveriesProps = {
  view: DeliveryView;
  isActive: boolean;
  /** Whether the person may send a test event. */
  mayTest: boolean;
  /** Undefined until it is read. */
  retentionDays: number | undefined;
  onClear: () => void;
};

/** Shown in place of rows if there are no deliveries, or none that match the filters. */
export function NoDeliveries({
  view,
  isActive,
  mayTest,
  retentionDays,
  onClear,
}: NoDeliveriesProps) {
  if (isSuccessStatus(view.q)) {
    return (
      <NoMatch
        title="You cannot search for status codes 2xx"
        hint="To list successful deliveries, choose Delivered. To find a conversation by its ID, enter it with a number sign, such as #204."
        onClear={onClear}
      />
    );
  }
  if (parseDeliverySearch(view.q) === null) {
    return (
      <NoMatch
        title="Enter a whole ID, or a status code from 300 to 599"
        hint="You can search for a webhook-id; for the UUID of an event, a delivery, a message or a conversation; for the ID of a conversation (#404 if it could be a status code); or for the status code of a response, such as 503."
        onClear={onClear}
      />
    );
  }
  if (isFiltered(view)) {
    return (
      <NoMatch
        title={isNarrowed(view) ? 'No matching deliveries' : `No ${view.status} deliveries`}
        hint={[
          isNarrowed(view) && 'Change the search or the filters.',
          retentionDays !== undefined &&
            `Deliveries are kept for ${countOf(retentionDays, 'day')}.`,
        ]
          .filter((sentence) => sentence !== false)
          .join(' ')}
        onClear={onClear}
        {...(!isNarrowed(view) && { clearLabel: 'Show all deliveries' })}
      />
    );
  }
  return (
    <EmptyState isQuiet title="No deliveries yet">
      Each event is listed here once it is sent, with your server’s response.
      {isActive
        ? mayTest && ' To send one now, press Send test.'
        : ' Nothing is sent while the webhook is inactive.'}
    </EmptyState>
  );
}
