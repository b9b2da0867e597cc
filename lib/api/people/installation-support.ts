import 'server-only';
import type { FoundAccount } from '../../contract/people/found-account.ts';
import * as contract from '../../contract/people/installation-support.ts';
import type {
  InstallationSupport,
  OpenSupportVisitInput,
  SetInstallationSupportInput,
} from '../../contract/people/installation-support.ts';
import { request } from '../client/client.ts';

/** Who supports the whole installation, and what they may do in the account. @throws ApiError */
export async function getInstallationSupport(): Promise<InstallationSupport> {
  return (await request(contract.getInstallationSupport, {})).data;
}

/** Sets what they may do in the account. @throws ApiError FORBIDDEN to anybody but an owner */
export async function setInstallationSupport(
  input: SetInstallationSupportInput,
): Promise<InstallationSupport> {
  return (await request(contract.setInstallationSupport, { body: input })).data;
}

/** Records why installation support opens the account. @throws ApiError */
export async function openSupportVisit(input: OpenSupportVisitInput): Promise<void> {
  await request(contract.openSupportVisit, { body: input });
}

/** Ends the visit of installation support in this session. @throws ApiError */
export async function endSupportVisit(): Promise<void> {
  await request(contract.endSupportVisit, {});
}

/**
 * Finds accounts that installation support can open; callable from any page.
 * @throws ApiError FORBIDDEN to anybody else, UNAUTHORIZED if nobody is signed in
 */
export async function searchAccounts(search: string): Promise<FoundAccount[]> {
  return (await request(contract.searchAccounts, { query: { search } })).data;
}
