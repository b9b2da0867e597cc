import { z } from 'zod';
import { success } from '../fields/fields.ts';
import { roles } from '../rights/roles.ts';
import { defineRoute } from '../route.ts';

const tokenShownToOthers = z.object({
  last_four: z.string(),
  person: z.object({
    name: z.string().describe('Their name at the time when it was shown.'),
    role: z
      .enum(roles)
      .nullable()
      .describe(
        'Null if they do not belong to the account: they left, or are installation support.',
      ),
  }),
});

export type TokenShownToOthers = z.infer<typeof tokenShownToOthers>;

export const listTokensShownToOthers = defineRoute({
  name: 'listTokensShownToOthers',
  method: 'GET',
  path: '/api/dashboard/api-keys/{apiKey}/tokens-shown-to-others',
  summary: 'List the valid tokens of a key that were shown to people who may not change the key',
  description:
    'Newest first. Widening the key gives these people more than their role. Empty for a revoked or expired key.',
  access: { scope: null, act: 'api-keys.update' },
  response: { 200: success(z.array(tokenShownToOthers)) },
});
