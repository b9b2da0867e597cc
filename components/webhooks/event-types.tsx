'use client';

import { createContext, type ReactNode, use } from 'react';

import type { EventType } from '#lib/contract/events/events.ts';

/** An event type with what it means, in a sentence. */
export type DescribedEventType = { type: EventType; description: string };

const EventTypes = createContext<readonly DescribedEventType[]>([]);

type EventTypesProviderProps = { types: readonly DescribedEventType[]; children: ReactNode };

/**
 * Gives the event types of the API to the pages below. The server passes them in, so that the
 * browser need not load the schemas that stand beside them.
 */
export function EventTypesProvider({ types, children }: EventTypesProviderProps) {
  return <EventTypes value={types}>{children}</EventTypes>;
}

/** The event types a webhook can subscribe to, with their descriptions. */
export function useDescribedEventTypes(): readonly DescribedEventType[] {
  return use(EventTypes);
}

/** The event types a webhook can subscribe to. */
export function useEventTypes(): EventType[] {
  return use(EventTypes).map(({ type }) => type);
}
