import { z } from 'zod';
import { success } from './fields/fields.ts';
import { defineRoute } from './route.ts';

/** How many of something an account has, and how many it can have. */
const quota = z.object({
  used: z.int().min(0),
  max: z.int().min(0).describe('Can be below `used` after it was lowered.'),
});

export type Quota = z.infer<typeof quota>;

const quotas = z.object({
  api_keys: quota.describe('Live keys. Revoked and expired ones do not count.'),
  webhooks: quota,
});

export type Quotas = z.infer<typeof quotas>;

export const getQuotas = defineRoute({
  name: 'getQuotas',
  method: 'GET',
  path: '/api/dashboard/quotas',
  summary: 'Get how many keys and webhooks the account has, and how many it can have',
  access: { scope: null, act: 'api-keys.read' },
  response: { 200: success(quotas) },
});
