import 'server-only';
import type { z } from 'zod';
import * as contract from '../../contract/people/members.ts';
import type { Member, ShownSecrets } from '../../contract/people/members.ts';
import { request } from '../client/client.ts';

export type ChangeMemberRoleInput = z.input<typeof contract.changeMemberRoleInput>;

/** The members of the account, by name. @throws ApiError */
export async function listMembers(): Promise<Member[]> {
  return (await request(contract.listMembers, {})).data;
}

/** Changes a member's role, which applies from their next request on. @throws ApiError */
export async function changeMemberRole(
  member: string,
  input: ChangeMemberRoleInput,
): Promise<Member> {
  return (await request(contract.changeMemberRole, { params: { member }, body: input })).data;
}

/** Which tokens and signing secrets were shown to a member and still work. @throws ApiError */
export async function listShownSecrets(member: string): Promise<ShownSecrets> {
  return (await request(contract.listShownSecrets, { params: { member } })).data;
}

/** Removes a member from the account. @throws ApiError */
export async function removeMember(member: string): Promise<void> {
  await request(contract.removeMember, { params: { member } });
}

/** Removes the person from the account. @throws ApiError VALIDATION_ERROR for the last owner */
export async function leaveAccount(): Promise<{ hasOtherAccounts: boolean }> {
  const { data } = await request(contract.leaveAccount, {});
  return { hasOtherAccounts: data.has_other_accounts };
}
