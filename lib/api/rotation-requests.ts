import 'server-only';
import type { RotationInput } from '../contract/api-keys/api-keys.ts';
import * as contract from '../contract/api-keys/rotation-requests.ts';
import type {
  RequestRotationInput,
  RotationRequest,
  Rotator,
} from '../contract/api-keys/rotation-requests.ts';
import { request } from './client.ts';

/** The open requests that the person made or is named in, newest first. @throws ApiError */
export async function listRotationRequests(): Promise<RotationRequest[]> {
  return (await request(contract.listRotationRequests, {})).data;
}

/** The members who may rotate the key with this id or uuid. @throws ApiError */
export async function listRotators(apiKey: string): Promise<Rotator[]> {
  return (await request(contract.listRotators, { params: { apiKey } })).data;
}

/**
 * Asks a member to rotate the key with this id or uuid; until they do, nothing changes.
 * @throws ApiError VALIDATION_ERROR if somebody has asked already, or the member may not rotate it
 */
export async function requestRotation(
  apiKey: string,
  input: RequestRotationInput,
): Promise<RotationRequest> {
  return (await request(contract.requestRotation, { params: { apiKey }, body: input })).data;
}

/**
 * Rotates the key as the request asks. The token is in this answer only; sent again with its
 * idempotency key, the call rotates nothing again and gets a fresh one. @throws ApiError
 */
export async function rotateOnRequest(
  rotationRequest: string,
  input: RotationInput,
  idempotencyKey: string,
): Promise<{ token: string; message: string }> {
  const route = contract.rotateOnRequest;
  return (await request(route, { params: { rotationRequest }, body: input, idempotencyKey })).data;
}

/** Ends the key that the person's own request reports as leaked. @throws ApiError */
export async function revokeLeakedKey(rotationRequest: string): Promise<void> {
  await request(contract.revokeLeakedKey, { params: { rotationRequest } });
}

/** Withdraws a request the person made, or declines one that names them. @throws ApiError */
export async function closeRotationRequest(rotationRequest: string): Promise<void> {
  await request(contract.closeRotationRequest, { params: { rotationRequest } });
}
