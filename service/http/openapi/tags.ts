import type { RouteDefinition } from '#lib/contract/route.ts';

const descriptions = {
  Webhooks:
    'Where the service sends events, which event types it sends, and the secrets that sign them. See "Signatures" in the introduction.',
  Deliveries:
    'What happened, whether each webhook received it, and how to send it again. Each event makes a delivery for each active webhook that subscribes to its type, and each delivery makes one or more attempts.',
  'API keys':
    'The keys that open this API: their types, scopes and limits, and how to rotate and revoke them. See "Keys, types and scopes" and "Rotation" in the introduction.',
  Conversations:
    'Conversations with contacts, and the messages in them. Creating and closing them sends events to webhooks.',
  'Audit log': 'Who changed what, when and from where. Entries cannot be changed.',
} as const;

type Tag = keyof typeof descriptions;

export const tags = Object.entries(descriptions).map(([name, description]) => ({
  name,
  description,
}));

/** The group of an operation: the last noun in its path that has a group. */
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
  totals: 'Deliveries',
  webhooks: 'Webhooks',
};
