import 'server-only';
import { listDeskRequests as listDeskRequestsRoute } from '../contract/support-desk/desk-requests.ts';
import type { DeskRequest } from '../contract/support-desk/desk-requests.ts';
import * as contract from '../contract/support-desk/support-desk.ts';
import type {
  DeskResults,
  FoundToken,
  SearchDeskInput,
  SupportDesk,
} from '../contract/support-desk/support-desk.ts';
import type { FindTokenInput } from '../contract/api-keys/token-search.ts';
import { request } from './client/client.ts';
import type { RequestInput } from './client/client.ts';

/** The person at the support desk, and how many accounts they can open. @throws ApiError */
export async function getSupportDesk(): Promise<SupportDesk> {
  return (await request(contract.getSupportDesk, {})).data;
}

/** Searches all accounts that the person can open. @throws ApiError */
export async function searchDesk(input: SearchDeskInput): Promise<DeskResults> {
  return (await request(contract.searchDesk, { body: input })).data;
}

/** Finds the key of a token by the token's digest. @throws ApiError */
export async function findToken(input: FindTokenInput): Promise<FoundToken> {
  return (await request(contract.findToken, { body: input })).data;
}

/** Tells the owners and admins of the token's account that it leaked, if there is one. @throws ApiError */
export async function reportUnknownLeak(input: FindTokenInput): Promise<void> {
  await request(contract.reportUnknownLeak, { body: input });
}

/** `older`: the cursor of the next page; null on the last page. */
export type DeskRequestPage = { requests: DeskRequest[]; older: string | null };

/**
 * A page of the rotation requests that the person made in all accounts, newest first. @throws
 * ApiError
 */
export async function listDeskRequests(
  query: RequestInput<typeof listDeskRequestsRoute>['query'],
): Promise<DeskRequestPage> {
  const { data, next_cursor: older } = await request(listDeskRequestsRoute, { query });
  return { requests: data, older };
}
