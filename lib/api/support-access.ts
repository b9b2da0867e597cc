import 'server-only';
import type { SupportAccess } from '../contract/api-keys/ceiling.ts';
import * as contract from '../contract/support-access.ts';
import type { SetSupportAccessInput } from '../contract/support-access.ts';
import { request } from './client.ts';

/** Sets what support can be shown in the account. @throws ApiError FORBIDDEN to anybody but an owner */
export async function setSupportAccess(input: SetSupportAccessInput): Promise<SupportAccess> {
  return (await request(contract.setSupportAccess, { body: input })).data;
}
