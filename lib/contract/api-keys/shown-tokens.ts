import { z } from 'zod';
import { success } from '../fields/fields.ts';
import { roles } from '../rights/roles.ts';
import { knownToken } from '../people/members.ts';
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

const tokenOfLeaver = knownToken.extend({
  person: z.object({
    id: z.string(),
    name: z.string().describe('Their name at the time when it was shown.'),
  }),
});

/** A valid token that is known to someone who can no longer open the account. */
export type TokenOfLeaver = z.infer<typeof tokenOfLeaver>;

export const listTokensOfLeavers = defineRoute({
  name: 'listTokensOfLeavers',
  method: 'GET',
  path: '/api/dashboard/tokens-of-leavers',
  summary: 'List the valid tokens that people know who left the account',
  description:
    'Those that were shown to them, and those that the API returned to a key while they knew a token of it.',
  access: { scope: null, act: 'api-keys.read' },
  response: { 200: success(z.array(tokenOfLeaver)) },
});
