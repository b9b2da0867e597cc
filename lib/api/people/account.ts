import 'server-only';
import * as contract from '../../contract/people/accounts.ts';
import type { Account, UpdateAccountInput } from '../../contract/people/accounts.ts';
import { request } from '../client/client.ts';

/** The settings of the account. @throws ApiError */
export async function getAccount(): Promise<Account> {
  return (await request(contract.getAccount, {})).data;
}

/** Changes settings of the account. @throws ApiError FORBIDDEN to anybody but an owner */
export async function updateAccount(input: UpdateAccountInput): Promise<Account> {
  return (await request(contract.updateAccount, { body: input })).data;
}

/**
 * Deletes the account; it can be restored for 7 days.
 * @param name the name of the account, as typed
 * @throws ApiError
 */
export async function deleteAccount(name: string): Promise<void> {
  await request(contract.deleteAccount, { body: { name } });
}

/** Restores the account after it was deleted. @throws ApiError */
export async function restoreAccount(): Promise<void> {
  await request(contract.restoreAccount, {});
}
