import { z } from 'zod';
import { supportTokens } from '../api-keys/support-tokens.ts';

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
      'Whether support may read messages and the payloads of events. If not, a key with `events:read`, `conversations:read` or `webhooks:manage` counts as stronger, regardless of `tokens`.',
    ),
  error_texts: z
    .boolean({ error: 'Use true or false.' })
    .describe(
      'Whether support may read what receivers wrote in their responses: the body, and the headers other than the content type. Anyone who may read payloads may read this too.',
    ),
});
