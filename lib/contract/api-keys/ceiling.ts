import { memberMay, type MemberRights, type SupportAccess } from '../rights/member-rights.ts';
import { mayAct, type Act } from '../rights/roles.ts';
import { allScopes, isWithinScopes, scopeTable, type Scope } from './scopes.ts';

/** The acts that a person must be allowed to perform before a scope gives them nothing new. */
export const actsOfScope: Record<Scope, readonly Act[]> = {
  'conversations:read': ['conversations.read', 'payloads.read'],
  'conversations:write': ['conversations.write'],
  'messages:write': ['conversations.write'],
  'webhooks:read': ['webhooks.read'],
  'webhooks:manage': [
    'webhooks.create',
    'webhooks.update',
    'webhooks.delete',
    'webhooks.regenerate-secret',
    'webhooks.replay',
    'webhooks.test',
    // A key with this scope can have every message sent to a URL, and replay past messages.
    'payloads.read',
  ],
  'events:read': ['events.read', 'payloads.read'],
  'events:listen': ['payloads.read'],
  'api-keys:read': ['api-keys.read'],
  'api-keys:manage': [
    'api-keys.create',
    'api-keys.update',
    'api-keys.rotate',
    'api-keys.end-tokens',
    'api-keys.extend-tokens',
    'api-keys.revoke',
  ],
  'audit-log:read': ['audit-log.read'],
};

/** The ceiling: all scopes of the strongest key whose token a member may be shown. */
export function ceilingOf(rights: MemberRights): Scope[] {
  const { role, support } = rights;
  if (!mayAct(role, 'api-keys.rotate')) return [];
  if (role !== 'support' || support.tokens === 'within_role') {
    return allScopes.filter((scope) => actsOfScope[scope].every((act) => memberMay(rights, act)));
  }
  return allScopes
    .filter((scope) =>
      support.tokens === 'webhook_and_bot'
        ? scopeTable[scope].family !== 'administration'
        : scope !== 'api-keys:manage',
    )
    .filter((scope) => support.payloads || !actsOfScope[scope].includes('payloads.read'));
}

/** Whether a member may be shown a token of a key with these effective scopes. */
export function mayBeShown(rights: MemberRights, scopes: readonly Scope[]): boolean {
  return isWithinScopes(scopes, ceilingOf(rights));
}

/** For how many keys, counted by their scopes, support with this access may be shown a token. */
export function countShownToSupport(
  support: SupportAccess,
  keys: readonly { scopes: readonly Scope[]; count: number }[],
): number {
  return keys
    .filter(({ scopes }) => mayBeShown({ role: 'support', support }, scopes))
    .reduce((sum, { count }) => sum + count, 0);
}
