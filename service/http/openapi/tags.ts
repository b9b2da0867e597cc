import type { RouteDefinition } from '#lib/contract/route.ts';

const descriptions = {
  Webhooks: 'Where events are to be sent, and the secrets they are signed with.',
  Deliveries: 'What happened, what became of it at each webhook, and how to send it again.',
  'API keys': 'Tokens for this API: their scopes, bounds, rotation and end.',
  Conversations: 'Conversations with contacts, and the messages in them.',
  'Audit log': 'Who changed what.',
} as const;

type Tag = keyof typeof descriptions;

export const tags = Object.entries(descriptions).map(([name, description]) => ({
  name,
  description,
}));

/** The group an operation stands in, by the last noun of its path that has one. */
export function tagOf({ path }: RouteDefinition): Tag {
  const tag = path
    .split('/')
    .map((noun) => tagOfNoun[noun])
    .findLast((found) => found !== undefined);
  if (!tag) throw new Error(`${path} belongs to no group`);
  return tag;
}

const tagOfNoun: Record<string, Tag> = {
  'api-key': 'API keys',
  'api-keys': 'API keys',
  'audit-log': 'Audit log',
  conversations: 'Conversations',
  deliveries: 'Deliveries',
  events: 'Deliveries',
  'event-types': 'Webhooks',
  replays: 'Deliveries',
  statistics: 'Deliveries',
  test: 'Deliveries',
  webhooks: 'Webhooks',
};
