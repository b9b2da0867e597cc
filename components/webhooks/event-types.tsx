'use client';

import { createContext, type ReactNode, use } from 'react';
import type { EventType, TestEventType } from '#lib/contract/events/events.ts';

/** An event type with its meaning, in a sentence, and the heading under which it is listed. */
export type DescribedEventType = {
  type: EventType;
  description: string;
  group: string;
  isInAll: boolean;
};

/** What an event is about, for example, for each type that a test can send. */
export type EventSamples = Record<EventType | TestEventType, Record<string, unknown>>;

const EventTypes = createContext<readonly DescribedEventType[]>([]);
const Samples = createContext<EventSamples | null>(null);

type EventTypesProviderProps = {
  types: readonly DescribedEventType[];
  samples: EventSamples;
  children: ReactNode;
};

/** Gives the event types to the pages below, so that the browser need not load their schemas. */
export function EventTypesProvider({ types, samples, children }: EventTypesProviderProps) {
  return (
    <EventTypes value={types}>
      <Samples value={samples}>{children}</Samples>
    </EventTypes>
  );
}

export function useDescribedEventTypes(): readonly DescribedEventType[] {
  return use(EventTypes);
}

export function useEventTypes(): EventType[] {
  return use(EventTypes).map(({ type }) => type);
}

/** An example of what an event of each type is about. */
export function useEventSamples(): EventSamples {
  const samples = use(Samples);
  if (samples === null) throw new Error('This is rendered outside the pages of webhooks.');
  return samples;
}
