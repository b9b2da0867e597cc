import { keysOf } from '#lib/object-keys.ts';

/** Which tokens support may be shown, by the scopes of their keys, with labels for people. */
export const supportTokensTable = {
  within_role: {
    label: 'Only keys that can do no more than Support itself',
    description: 'Tokens of keys that can only see webhooks and keys.',
  },
  webhook_and_bot: {
    label: 'Webhook and bot scopes only',
    description:
      'Tokens of keys that see webhooks or write messages. If support can read messages, also of keys that read them or manage webhooks.',
  },
  all_but_management: {
    label: 'Every key, except those that manage keys',
    description: 'Tokens of every key that cannot create, change or revoke keys.',
  },
} as const;

export type SupportTokens = keyof typeof supportTokensTable;

export const supportTokens = keysOf(supportTokensTable);
