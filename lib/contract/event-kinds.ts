/** The event kinds a webhook can subscribe to, with what each means in a sentence. */
export const eventKindTable = {
  'message.created': 'A message was written in a conversation.',
  'conversation.created': 'A conversation was opened.',
  'conversation.closed': 'A conversation was closed.',
} as const;

export type EventKind = keyof typeof eventKindTable;

export const eventKinds = Object.keys(eventKindTable) as [EventKind, ...EventKind[]];

/** The kind of a test send: only ever sent on demand, so nothing subscribes to it. */
export const testEventKind = 'webhook.test';

export type TestEventKind = typeof testEventKind;

export const testEventDescription = 'A test, sent on demand to one webhook.';
