import { describe, expect, test } from 'vitest';
import { actsOfScope, ceilingOf } from './ceiling.ts';
import { type MemberRights } from '../rights/member-rights.ts';
import { type SupportTokens } from './support-tokens.ts';
import type { Role } from '../rights/roles.ts';
import { publicRoutes } from '../routes.ts';
import { allScopes, type Scope } from './scopes.ts';

const everything: Scope[] = [
  'conversations:read',
  'conversations:write',
  'messages:write',
  'webhooks:read',
  'webhooks:manage',
  'events:read',
  'events:listen',
  'api-keys:read',
  'api-keys:manage',
  'audit-log:read',
];

/** Typed here by hand. */
const ceilings: [Role, SupportTokens, boolean, Scope[]][] = [
  ['owner', 'within_role', false, everything],
  ['admin', 'within_role', false, everything],
  ['viewer', 'all_but_management', true, []],
  ['support', 'within_role', false, ['webhooks:read', 'api-keys:read']],
  [
    'support',
    'within_role',
    true,
    ['conversations:read', 'webhooks:read', 'events:read', 'events:listen', 'api-keys:read'],
  ],
  ['support', 'webhook_and_bot', false, ['messages:write', 'webhooks:read']],
  [
    'support',
    'webhook_and_bot',
    true,
    [
      'conversations:read',
      'messages:write',
      'webhooks:read',
      'webhooks:manage',
      'events:read',
      'events:listen',
    ],
  ],
  [
    'support',
    'all_but_management',
    false,
    ['conversations:write', 'messages:write', 'webhooks:read', 'api-keys:read', 'audit-log:read'],
  ],
  [
    'support',
    'all_but_management',
    true,
    everything.filter((scope) => scope !== 'api-keys:manage'),
  ],
];

describe('the strongest key whose token a member may be shown', () => {
  test.each(ceilings)('as %s, with %s and payloads %s', (role, tokens, payloads, scopes) => {
    const support = { tokens, payloads, error_texts: false };
    const rights: MemberRights = { role, support };
    expect(ceilingOf(rights)).toEqual(scopes);
  });

  test.each(allScopes)('counts for %s all that its routes let a key do', (scope) => {
    const acts = publicRoutes.flatMap(({ access }) =>
      typeof access === 'object' && access.scope === scope ? [access.act] : [],
    );
    // Reading payloads is also a part of what other routes do.
    const named = new Set([
      ...acts,
      ...actsOfScope[scope].filter((act) => act === 'payloads.read'),
    ]);
    expect([...named].toSorted()).toEqual(actsOfScope[scope].toSorted());
  });
});
