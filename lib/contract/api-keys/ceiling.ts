import { mayAct, type Act, type Role } from '../roles.ts';
import { allScopes, isWithinScopes, scopeTable, type Scope } from './scopes.ts';
import type { SupportTokens } from './support-tokens.ts';

/**
 * What the owners of an account let support staff do there beyond the role itself.
 *
 * `payloads`: whether they may read what customers wrote. Without it, a key that can read it counts
 * as stronger than they are, whatever `tokens` says.
 */
export type SupportAccess = { tokens: SupportTokens; payloads: boolean };

/** What decides a member's rights in an account: their role, and the account's support access. */
export type MemberRights = { role: Role; support: SupportAccess };

/** The rights that a session gives in its current account. */
export function memberRightsOf(session: {
  role: Role;
  account: { support: SupportAccess };
}): MemberRights {
  return { role: session.role, support: session.account.support };
}

/** What a person must be allowed to do before a scope gives them nothing new. */
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
    // It can have every message sent to a URL, and replay those of the past.
    'payloads.read',
  ],
  'events:read': ['events.read', 'payloads.read'],
  'api-keys:read': ['api-keys.read'],
  'api-keys:manage': [
    'api-keys.create',
    'api-keys.update',
    'api-keys.rotate',
    'api-keys.end-tokens',
    'api-keys.revoke',
  ],
  'audit-log:read': ['audit-log.read'],
};

/** What `payloads` adds to the role. */
const payloadActs: readonly Act[] = ['payloads.read', 'conversations.read'];

/** Whether a member may do this in their account. */
export function memberMay({ role, support }: MemberRights, act: Act): boolean {
  if (mayAct(role, act)) return true;
  return role === 'support' && support.payloads && payloadActs.includes(act);
}

/**
 * The ceiling: every scope of the strongest key whose token a member may be shown. The service
 * decides by it, and the dashboard labels its buttons by it.
 */
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

/** Of how many keys, counted by their scopes, support may be shown a token, with this access. */
export function countShownToSupport(
  support: SupportAccess,
  keys: readonly { scopes: readonly Scope[]; count: number }[],
): number {
  return keys
    .filter(({ scopes }) => mayBeShown({ role: 'support', support }, scopes))
    .reduce((sum, { count }) => sum + count, 0);
}
