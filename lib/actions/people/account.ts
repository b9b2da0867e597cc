'use server';

import * as api from '../../api/people/account.ts';
import type { Account, UpdateAccountInput } from '../../contract/people/accounts.ts';
import { actionArguments } from '../action-arguments.ts';
import type { ActionResult } from '../action-result.ts';
import { runServerAction } from '../run-server-action.ts';

/** For owners. Open pages show the change after they are loaded again. */
export async function updateAccount(
  input: UpdateAccountInput,
): Promise<ActionResult<{ account: Account }>> {
  return await runServerAction(actionArguments.updateAccount, [input], async (valid) => ({
    account: await api.updateAccount(...valid),
  }));
}

/** For owners. @param name the name of the account, as typed */
export async function deleteAccount(name: string): Promise<ActionResult> {
  return await runServerAction(actionArguments.deleteAccount, [name], async (valid) => {
    await api.deleteAccount(...valid);
    return {};
  });
}

/** For owners, while the account can be restored. */
export async function restoreAccount(): Promise<ActionResult> {
  return await runServerAction(actionArguments.restoreAccount, [], async () => {
    await api.restoreAccount();
    return {};
  });
}
