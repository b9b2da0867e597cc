import 'server-only';
import * as contract from '../contract/api-keys.ts';
import type { ApiKey, CreateApiKeyInput, RotateApiKeyInput } from '../contract/api-keys.ts';
import { request } from './client.ts';

/** Every key of the account, revoked and expired ones included. @throws ApiError */
export async function listApiKeys(): Promise<ApiKey[]> {
  return (await request(contract.listApiKeys, {})).data;
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
  input: RotateApiKeyInput,
): Promise<{ token: string; message: string }> {
  return (await request(contract.rotateApiKey, { params: { apiKey }, body: input })).data;
}
