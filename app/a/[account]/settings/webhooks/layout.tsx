import type { ReactNode } from 'react';

import { EventTypesProvider } from '#components/webhooks/event-types.tsx';
import { eventDescriptionOf, eventTypes } from '#lib/contract/events/events.ts';

export default function WebhooksLayout({ children }: { children: ReactNode }) {
  return <EventTypesProvider types={describedEventTypes}>{children}</EventTypesProvider>;
}

const describedEventTypes = eventTypes.map((type) => ({
  type,
  description: eventDescriptionOf(type),
}));
