/** The event types a webhook can subscribe to, with what each means in a sentence. */
export const eventTypeTable = {
  'message.created': 'A message was written in a conversation.',
  'conversation.created': 'A conversation was opened.',
  'conversation.closed': 'A conversation was closed.',
} as const;

export type EventType = keyof typeof eventTypeTable;

export const eventTypes = Object.keys(eventTypeTable) as [EventType, ...EventType[]];

/** The type of a test send: only ever sent on demand, so nothing subscribes to it. */
export const testEventType = 'webhook.test';

export type TestEventType = typeof testEventType;

export const testEventDescription = 'A test, sent on demand to one webhook.';
