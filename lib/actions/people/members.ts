'use server';

import * as api from '../../api/people/members.ts';
import type { ChangeMemberRoleInput } from '../../api/people/members.ts';
import type { Member } from '../../contract/people/members.ts';
import { actionArguments } from '../action-arguments.ts';
import type { ActionResult } from '../action-result.ts';
import { runServerAction } from '../run-server-action.ts';

/** @param member id */
export async function changeMemberRole(
  member: string,
  input: ChangeMemberRoleInput,
): Promise<ActionResult<{ member: Member }>> {
  return await runServerAction(
    actionArguments.changeMemberRole,
    [member, input],
    async (valid) => ({
      member: await api.changeMemberRole(...valid),
    }),
  );
}

/** @param member id */
export async function removeMember(member: string): Promise<ActionResult> {
  return await runServerAction(actionArguments.removeMember, [member], async (valid) => {
    await api.removeMember(...valid);
    return {};
  });
}

/** Removes the person from the account. If it was their only account, their session ends. */
export async function leaveAccount(): Promise<ActionResult<{ hasOtherAccounts: boolean }>> {
  return await runServerAction(actionArguments.leaveAccount, [], api.leaveAccount);
}
