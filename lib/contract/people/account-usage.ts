import { z } from 'zod';
import { scope } from '../api-keys/api-key.ts';
import { success } from '../fields/fields.ts';
import { defineRoute } from '../route.ts';

const keysOfScopes = z.object({
  scopes: z.array(scope).describe('What these keys may do, implied scopes included.'),
  count: z.int().min(1),
});

export type KeysOfScopes = z.infer<typeof keysOfScopes>;

/** How many keys and webhooks an account has, for its settings. */
const accountUsage = z.object({
  live_keys: z.array(keysOfScopes).describe('Neither revoked nor expired, by what they may do.'),
  webhooks: z.int().min(0),
});

export type AccountUsage = z.infer<typeof accountUsage>;

export const getAccountUsage = defineRoute({
  name: 'getAccountUsage',
  method: 'GET',
  path: '/api/dashboard/account/usage',
  summary: 'Count the keys of the account by their scopes, and its webhooks',
  access: { scope: null, act: 'account.read' },
  response: { 200: success(accountUsage) },
});
