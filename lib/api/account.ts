import 'server-only';
import * as contract from '../contract/people/accounts.ts';
import type { Account, UpdateAccountInput } from '../contract/people/accounts.ts';
import { request } from './client.ts';

/** Changes settings of the account. @throws ApiError FORBIDDEN to anybody but an owner */
export async function updateAccount(input: UpdateAccountInput): Promise<Account> {
  return (await request(contract.updateAccount, { body: input })).data;
}
