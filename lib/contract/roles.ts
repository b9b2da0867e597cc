import { allScopes } from './scopes.ts';
import type { Scope } from './scopes.ts';

/** What a person can do in the dashboard, one name per act the service can refuse. */
export const acts = [
  'api-keys.read',
  'api-keys.create',
  'api-keys.update',
  'api-keys.rotate',
  'api-keys.revoke',
  'webhooks.read',
  'webhooks.create',
  'webhooks.update',
  'webhooks.delete',
  'webhooks.regenerate-secret',
  'webhooks.replay',
  'events.read',
  'payloads.read',
  'conversations.read',
  'conversations.write',
  'audit-log.read',
  'team.manage',
] as const;

export type Act = (typeof acts)[number];

const supportActs: readonly Act[] = [
  'api-keys.read',
  'api-keys.rotate',
  'webhooks.read',
  'webhooks.regenerate-secret',
  'webhooks.replay',
  'events.read',
];

const supportExcludes: readonly Scope[] = ['api-keys:manage', 'audit-log:read'];

/**
 * The one table of people's rights. `acts` is what the service lets a member do; `ceiling` is the
 * widest key whose token they may see, so that nobody gains more than their role through a token.
 * The dashboard reads it only to hide what the service would refuse.
 */
export const roleTable = {
  owner: { label: 'Owner', acts, ceiling: allScopes },
  admin: { label: 'Admin', acts, ceiling: allScopes },
  support: {
    label: 'Support',
    acts: supportActs,
    ceiling: allScopes.filter((scope) => !supportExcludes.includes(scope)),
  },
  viewer: {
    label: 'Viewer',
    acts: ['api-keys.read', 'webhooks.read', 'events.read'],
    ceiling: [],
  },
} as const satisfies Record<
  string,
  { label: string; acts: readonly Act[]; ceiling: readonly Scope[] }
>;

export type Role = keyof typeof roleTable;

export const roles = Object.keys(roleTable) as [Role, ...Role[]];

/** Whether a member with this role may do this. */
export function mayAct(role: Role, act: Act): boolean {
  return (roleTable[role].acts as readonly Act[]).includes(act);
}
