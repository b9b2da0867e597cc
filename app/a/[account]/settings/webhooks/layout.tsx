import type { ReactNode } from 'react';
import { EventTypesProvider, type EventSamples } from '#components/webhooks/event-types.tsx';
import {
  eventDescriptionOf,
  eventGroupOf,
  isInAll,
  eventTypes,
  sampleDataOf,
  testEventType,
} from '#lib/contract/events/events.ts';

export default function WebhooksLayout({ children }: { children: ReactNode }) {
  return (
    <EventTypesProvider types={describedEventTypes} samples={samples}>
      {children}
    </EventTypesProvider>
  );
}

const describedEventTypes = eventTypes.map((type) => ({
  type,
  description: eventDescriptionOf(type),
  group: eventGroupOf(type),
  isInAll: isInAll(type),
}));

const samples = Object.fromEntries(
  ([testEventType, ...eventTypes] as const).map((type) => [type, sampleDataOf(type)]),
) as EventSamples;
