import type { ComponentProps } from 'react';
import { useFocusAfterNavigation } from '#components/shell/page/navigation-focus.tsx';
import { opensElsewhere, PageLink } from '#components/ui/navigation/page-link.tsx';
import { type LinkedDeliveries, linkedDeliveriesPath } from '../../deliveries/linked-deliveries.ts';
import { deliveriesHeadingId } from '../../webhook-path.ts';

type CountedDeliveriesLinkProps = Omit<ComponentProps<typeof PageLink>, 'href' | 'extent'> & {
  /** From the URL: the webhook's uuid or id. */
  reference: string;
  counted: LinkedDeliveries;
};

export function CountedDeliveriesLink({
  reference,
  counted,
  onClick,
  ...rest
}: CountedDeliveriesLinkProps) {
  const focusAfterNavigation = useFocusAfterNavigation();
  const page = linkedDeliveriesPath(reference, counted);
  return (
    <PageLink
      {...rest}
      href={page}
      extent="tab"
      onClick={(event) => {
        onClick?.(event);
        if (event.defaultPrevented || opensElsewhere(event)) return;
        focusAfterNavigation(deliveriesHeadingId, page);
      }}
    />
  );
}
