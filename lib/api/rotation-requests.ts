import 'server-only';
import type { RotationInput } from '../contract/api-keys/rotation.ts';
import * as contract from '../contract/api-keys/rotation-requests.ts';
import type {
  DeclineInput,
  RequestRotationInput,
  RequestWebhookActInput,
  RotationRequest,
  Rotator,
} from '../contract/api-keys/rotation-requests.ts';
import { request } from './client/client.ts';

/** `older`: the cursor of the next page; null on the last page. */
export type RotationRequestHistoryPage = { requests: RotationRequest[]; older: string | null };

/** The open requests that the person made or is named in, newest first. @throws ApiError */
export async function listRotationRequests(): Promise<RotationRequest[]> {
  return (await request(contract.listRotationRequests, {})).data;
}

/**
 * A page of the requests that the person made or is named in, newest first, with their outcomes;
 * for owners and admins, of all requests in the account. @throws ApiError
 */
export async function listRotationRequestHistory(
  query: { cursor?: string } = {},
): Promise<RotationRequestHistoryPage> {
  const { data, next_cursor: older } = await request(contract.listRotationRequestHistory, {
    query,
  });
  return { requests: data, older };
}

/** The request with this uuid. @throws ApiError NOT_FOUND if the person may not see it */
export async function getRotationRequest(rotationRequest: string): Promise<RotationRequest> {
  return (await request(contract.getRotationRequest, { params: { rotationRequest } })).data;
}

/** The members who may rotate the key with this id or uuid. @throws ApiError */
export async function listRotators(apiKey: string): Promise<Rotator[]> {
  return (await request(contract.listRotators, { params: { apiKey } })).data;
}

/**
 * Requests that a member rotates the key with this id or uuid, which does not change until then.
 * @throws ApiError VALIDATION_ERROR if the key has an open request, or the member may not rotate it
 */
export async function requestRotation(
  apiKey: string,
  input: RequestRotationInput,
): Promise<RotationRequest> {
  return (await request(contract.requestRotation, { params: { apiKey }, body: input })).data;
}

/**
 * Asks a member to regenerate the secret of the webhook with this id or uuid, or to resume it.
 * @throws ApiError VALIDATION_ERROR if it has such an open request, or the member may not do it
 */
export async function requestWebhookAct(
  webhook: string,
  input: RequestWebhookActInput,
): Promise<RotationRequest> {
  return (await request(contract.requestWebhookAct, { params: { webhook }, body: input })).data;
}

/**
 * Rotates the key of the request. Only this response contains the token. If the call is sent again
 * with its idempotency key, nothing is rotated again, and the response has a fresh token. @throws
 * ApiError
 */
export async function rotateOnRequest(
  rotationRequest: string,
  input: RotationInput,
  idempotencyKey: string,
): Promise<{ token: string; message: string }> {
  const route = contract.rotateOnRequest;
  return (await request(route, { params: { rotationRequest }, body: input, idempotencyKey })).data;
}

/** Revokes the key that the person's own request reports as leaked. @throws ApiError */
export async function revokeLeakedKey(rotationRequest: string): Promise<void> {
  await request(contract.revokeLeakedKey, { params: { rotationRequest } });
}

/** Withdraws a request the person made. @throws ApiError */
export async function withdrawRotationRequest(rotationRequest: string): Promise<void> {
  await request(contract.withdrawRotationRequest, { params: { rotationRequest } });
}

/** Declines a request that names the person. @throws ApiError */
export async function declineRotationRequest(
  rotationRequest: string,
  input: DeclineInput,
): Promise<void> {
  await request(contract.declineRotationRequest, { params: { rotationRequest }, body: input });
}
