import 'server-only';
import * as contract from '../contract/support/support-desk.ts';
import type {
  DeskResults,
  FindTokenInput,
  FoundToken,
  SearchDeskInput,
  SupportDesk,
} from '../contract/support/support-desk.ts';
import { request } from './client.ts';

/** The person at the support desk, and how many accounts they can open. @throws ApiError */
export async function getSupportDesk(): Promise<SupportDesk> {
  return (await request(contract.getSupportDesk, {})).data;
}

/** Searches all accounts that the person can open. @throws ApiError */
export async function searchDesk(input: SearchDeskInput): Promise<DeskResults> {
  return (await request(contract.searchDesk, { body: input })).data;
}

/** Of which key a token is, by its digest. @throws ApiError */
export async function findToken(input: FindTokenInput): Promise<FoundToken> {
  return (await request(contract.findToken, { body: input })).data;
}
