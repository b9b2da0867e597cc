import type { ReactNode } from 'react';

import { EventTypesProvider } from '#components/webhooks/event-types.tsx';
import { NavigationFocusProvider } from '#components/webhooks/navigation-focus.tsx';
import { eventDescriptionOf, eventTypes } from '#lib/contract/events/events.ts';

export default function WebhooksLayout({ children }: { children: ReactNode }) {
  return (
    <EventTypesProvider types={describedEventTypes}>
      <NavigationFocusProvider>{children}</NavigationFocusProvider>
    </EventTypesProvider>
  );
}

const describedEventTypes = eventTypes.map((type) => ({
  type,
  description: eventDescriptionOf(type),
}));
