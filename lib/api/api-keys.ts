import 'server-only';
import * as contract from '../contract/api-keys.ts';
import type {
  ApiKey,
  CreateApiKeyInput,
  RevokeApiKeyInput,
  RotationInput,
  UpdateApiKeyInput,
} from '../contract/api-keys.ts';
import { request } from './client.ts';

/** Every key of the account, revoked and expired ones included. @throws ApiError */
export async function listApiKeys(): Promise<ApiKey[]> {
  return (await request(contract.listApiKeys, {})).data;
}

/** The key with this id or uuid. @throws ApiError NOT_FOUND for another account's as well */
export async function getApiKey(apiKey: string): Promise<ApiKey> {
  return (await request(contract.getApiKey, { params: { apiKey } })).data;
}

/** Makes a key. `token` is in this answer only. @throws ApiError */
export async function createApiKey(
  input: CreateApiKeyInput,
): Promise<{ apiKey: ApiKey; token: string; message: string }> {
  const { data } = await request(contract.createApiKey, { body: input });
  const { token, message, ...apiKey } = data;
  return { apiKey, token, message };
}

/**
 * Gives the key with this id or uuid a new token, in this answer only. `message` says what became
 * of the older ones. @throws ApiError
 */
export async function rotateApiKey(
  apiKey: string,
  input: RotationInput,
): Promise<{ token: string; message: string }> {
  const { data } = await request(contract.rotateApiKey, { params: { apiKey }, body: input });
  if ('token' in data) return data;
  throw new Error('The service only said what a rotation would do.');
}

/** Changes what is given of the key with this id or uuid. @throws ApiError */
export async function updateApiKey(apiKey: string, input: UpdateApiKeyInput): Promise<ApiKey> {
  return (await request(contract.updateApiKey, { params: { apiKey }, body: input })).data;
}

/** Ends the key with this id or uuid and all its tokens, for good. @throws ApiError */
export async function revokeApiKey(apiKey: string, input: RevokeApiKeyInput): Promise<void> {
  await request(contract.revokeApiKey, { params: { apiKey }, body: input });
}

/** Ends an older token of the key at once. @throws ApiError NOT_FOUND when it has ended already */
export async function endToken(apiKey: string, token: number): Promise<void> {
  await request(contract.endToken, { params: { apiKey, token: String(token) } });
}
