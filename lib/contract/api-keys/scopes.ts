import { keysOf } from '#lib/object-keys.ts';

/**
 * The one table of scopes. Everything that grants, shows or checks a scope reads it from here.
 *
 * `family` decides which key types may hold the scope: a `webhook` key holds webhook scopes only,
 * a `bot` key bot scopes only, `full` and `limited` keys any. `implies` lists what else the scope
 * allows. `group` and `label` are for people.
 */
export const scopeTable = {
  'conversations:read': {
    family: 'bot',
    group: 'Conversations',
    label: 'Read conversations and messages',
    implies: [],
  },
  'conversations:write': {
    family: 'administration',
    group: 'Conversations',
    label: 'Open and close conversations',
    implies: [],
  },
  'messages:write': {
    family: 'bot',
    group: 'Conversations',
    label: 'Write messages',
    implies: [],
  },
  'webhooks:read': {
    family: 'webhook',
    group: 'Webhooks and events',
    label: 'See webhooks',
    implies: [],
  },
  'webhooks:manage': {
    family: 'webhook',
    group: 'Webhooks and events',
    label: 'Create, change and delete webhooks',
    implies: ['webhooks:read'],
  },
  'events:read': {
    family: 'webhook',
    group: 'Webhooks and events',
    label: 'Read events and deliveries, with their statistics',
    implies: [],
  },
  'events:listen': {
    family: 'webhook',
    group: 'Webhooks and events',
    label: 'Receive events over a stream',
    implies: ['events:read'],
  },
  'api-keys:read': {
    family: 'administration',
    group: 'Administration',
    label: 'See keys',
    implies: [],
  },
  'api-keys:manage': {
    family: 'administration',
    group: 'Administration',
    label: 'Create, change, rotate and revoke keys',
    implies: ['api-keys:read'],
  },
  'audit-log:read': {
    family: 'administration',
    group: 'Administration',
    label: 'Read the audit log',
    implies: [],
  },
} as const satisfies Record<
  string,
  {
    family: 'webhook' | 'bot' | 'administration';
    group: string;
    label: string;
    implies: readonly string[];
  }
>;

export type Scope = keyof typeof scopeTable;

/** Every scope, in the order in which people are shown them. */
export const allScopes = keysOf(scopeTable);

/** The scopes with everything they imply, in table order, each once. */
export function effectiveScopes(granted: readonly Scope[]): Scope[] {
  const held = new Set<string>(granted);
  for (const scope of granted) for (const implied of scopeTable[scope].implies) held.add(implied);
  return allScopes.filter((scope) => held.has(scope));
}

/** Whether everything in `inner` is allowed by `outer`, implied scopes counted on both sides. */
export function isWithinScopes(inner: readonly Scope[], outer: readonly Scope[]): boolean {
  const held = new Set(effectiveScopes(outer));
  return effectiveScopes(inner).every((scope) => held.has(scope));
}
