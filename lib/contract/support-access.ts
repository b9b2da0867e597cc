import { z } from 'zod';
import { supportTokens } from './api-keys/ceiling.ts';
import { success } from './fields.ts';
import { defineRoute } from './route.ts';

/** What the owners of an account let support staff do there beyond the role itself. */
export const supportAccess = z.strictObject({
  tokens: z
    .enum(supportTokens, { error: 'Choose what support can be shown.' })
    .describe(
      'The strongest key whose token support can be shown: `within_role` (nothing stronger than the role), `webhook_and_bot` (webhook and bot scopes only) or `all_but_management` (everything that cannot manage keys or people).',
    ),
  payloads: z
    .boolean({ error: 'Use true or false.' })
    .describe(
      'Whether support may read messages and the payloads of events. If not, a key with `events:read` or `conversations:read` counts as stronger, whatever `tokens` says.',
    ),
});

export const setSupportAccessInput = supportAccess
  .partial()
  .refine((input) => Object.keys(input).length > 0, {
    message: 'Give at least one field to change.',
  })
  .meta({ examples: [{ tokens: 'webhook_and_bot', payloads: false }] });

export type SetSupportAccessInput = z.input<typeof setSupportAccessInput>;

export const setSupportAccess = defineRoute({
  name: 'setSupportAccess',
  method: 'PATCH',
  path: '/api/dashboard/support-access',
  summary: 'Set which tokens support can be shown in the account',
  description: 'For owners. Everybody in the account sees it with their session.',
  access: { scope: null, act: 'support-access.set' },
  needsProof: true,
  body: setSupportAccessInput,
  reply: { 200: success(supportAccess) },
});
