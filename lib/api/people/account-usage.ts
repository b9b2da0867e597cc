import 'server-only';
import * as contract from '../../contract/people/account-usage.ts';
import type { AccountUsage } from '../../contract/people/account-usage.ts';
import { request } from '../client/client.ts';

/** How many keys and webhooks the account has. @throws ApiError */
export async function getAccountUsage(): Promise<AccountUsage> {
  return (await request(contract.getAccountUsage, {})).data;
}
