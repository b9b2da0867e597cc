import 'server-only';
import * as contract from '../contract/quotas.ts';
import type { Quotas } from '../contract/quotas.ts';
import { ApiError } from './api-error.ts';
import { request } from './client.ts';

/**
 * What the account can have and has. Null if the service does not say: a form can do without, because
 * the service refuses what is too much.
 */
export async function findQuotas(): Promise<Quotas | null> {
  try {
    return (await request(contract.getQuotas, {})).data;
  } catch (error) {
    if (error instanceof ApiError) return null;
    throw error;
  }
}
