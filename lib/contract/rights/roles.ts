import { keysOf } from '#lib/object-keys.ts';

/** What a person can do in the dashboard: one name for each act that the service can refuse. */
export const acts = [
  'api-keys.read',
  'api-keys.create',
  'api-keys.update',
  'api-keys.rotate',
  'api-keys.end-tokens',
  'api-keys.extend-tokens',
  'api-keys.revoke',
  'webhooks.read',
  'webhooks.create',
  'webhooks.update',
  'webhooks.delete',
  'webhooks.regenerate-secret',
  'webhooks.replay',
  'webhooks.test',
  'requests.make',
  'events.read',
  'payloads.read',
  'error-texts.read',
  'conversations.read',
  'conversations.write',
  'changes.read',
  'audit-log.read',
  'team.read',
  'team.manage',
  'account.read',
  'account.manage',
] as const;

export type Act = (typeof acts)[number];

const supportActs: readonly Act[] = [
  'api-keys.read',
  'api-keys.rotate',
  'webhooks.read',
  'webhooks.replay',
  'webhooks.test',
  'requests.make',
  'events.read',
  'changes.read',
  'team.read',
  'account.read',
];

const ownerActs: readonly Act[] = ['account.manage'];

/**
 * The one table of people's rights: what the service lets a member do. `ceiling.ts` derives from it
 * which tokens they may be shown, so that nobody gains more than their role through a token. The
 * dashboard reads it only to hide what the service would refuse.
 */
export const roleTable = {
  owner: {
    label: 'Owner',
    description:
      'Can do everything, and is the only role that changes who is an owner and the settings of the account.',
    acts,
  },
  admin: {
    label: 'Admin',
    description:
      'Manages API keys, webhooks and the team. Cannot change owners or the settings of the account.',
    acts: acts.filter((act) => !ownerActs.includes(act)),
  },
  support: {
    label: 'Support',
    description:
      'Sees keys and webhooks, rotates keys or requests a rotation, asks owners and admins to regenerate signing secrets or resume webhooks, retries deliveries and replays events.',
    acts: supportActs,
  },
  viewer: {
    label: 'Viewer',
    description:
      'Sees keys, webhooks and deliveries without their payloads, and sends test events. Changes nothing.',
    acts: [
      'api-keys.read',
      'webhooks.read',
      'webhooks.test',
      'events.read',
      'team.read',
      'account.read',
    ],
  },
} as const satisfies Record<string, { label: string; description: string; acts: readonly Act[] }>;

export type Role = keyof typeof roleTable;

export const roles = keysOf(roleTable);

/** Whether a member with this role may do this. */
export function mayAct(role: Role, act: Act): boolean {
  return (roleTable[role].acts as readonly Act[]).includes(act);
}

/** What a person whose role lacks an act can do instead, if a refusal would leave them stuck. */
export const refusalAdvice: Partial<Record<Act, string>> = {
  'team.manage': 'Only owners and admins can change the team. Ask one of them.',
  'api-keys.end-tokens':
    'Your role cannot end a token that still works. If it may have leaked, request a rotation with the reason “The token may have leaked”: then you can revoke the key immediately. Otherwise ask an owner or an admin.',
  'api-keys.extend-tokens':
    'Only owners and admins can extend the time of an old token. Ask one of them.',
  'webhooks.regenerate-secret':
    'Only owners and admins can regenerate a signing secret. Ask one of them on the page of the webhook.',
  'account.manage': 'Only an owner of the account can change this. Ask one of them.',
};
