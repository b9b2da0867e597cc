import 'server-only';
import * as contract from '../contract/quotas.ts';
import type { Quotas } from '../contract/quotas.ts';
import { ApiError } from './api-error.ts';
import { request } from './client/client.ts';

/**
 * How much the account has and can have. Null if it cannot be read: a form works without it,
 * because the service refuses what is over the quota.
 */
export async function findQuotas(): Promise<Quotas | null> {
  try {
    return (await request(contract.getQuotas, {})).data;
  } catch (error) {
    if (error instanceof ApiError) return null;
    throw error;
  }
}
