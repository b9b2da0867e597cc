import 'server-only';
import * as contract from '../contract/api-keys/failed-calls.ts';
import type { FailedCall, FailedCallsOfKey } from '../contract/api-keys/failed-calls.ts';
import { request } from './client/client.ts';

/** The refused and failed calls of a key. @throws ApiError */
export async function listFailedCalls(apiKey: string): Promise<FailedCallsOfKey> {
  return (await request(contract.listFailedCalls, { params: { apiKey } })).data;
}

/** The refused or failed calls of the account with a request id. @throws ApiError */
export async function findFailedCalls(requestId: string): Promise<FailedCall[]> {
  const query = { request_id: requestId };
  return (await request(contract.findFailedCalls, { query })).data;
}
