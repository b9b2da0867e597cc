import 'server-only';
import * as contract from '../contract/api-keys/api-keys.ts';
import type { ApiKey } from '../contract/api-keys/api-key.ts';
import type {
  CreateApiKeyInput,
  RevokeApiKeyInput,
  UpdateApiKeyInput,
} from '../contract/api-keys/key-inputs.ts';
import type { RotationInput, RotationPreview } from '../contract/api-keys/rotation.ts';
import { listTokensShownToOthers as shownToOthersRoute } from '../contract/api-keys/shown-tokens.ts';
import type { TokenShownToOthers } from '../contract/api-keys/shown-tokens.ts';
import { findTokenOfAccount as findTokenRoute } from '../contract/api-keys/token-search.ts';
import type { FindTokenInput, FoundTokenOfAccount } from '../contract/api-keys/token-search.ts';
import * as unconfirmed from '../contract/api-keys/unconfirmed-tokens.ts';
import type {
  ConfirmTokenInput,
  NewestTokenInput,
} from '../contract/api-keys/unconfirmed-tokens.ts';
import type { RouteQueryInput } from '../contract/route.ts';
import { request } from './client/client.ts';

/**
 * Every active and rotating key of the account, and the revoked and expired keys that ended last.
 * @throws ApiError
 */
export async function listApiKeys(): Promise<ApiKey[]> {
  return (await request(contract.listApiKeys, { query: {} })).data;
}

/** Some of an account's revoked or expired keys, those that ended last first. */
export type EndedApiKeysPage = {
  apiKeys: ApiKey[];
  /** Where the next older ones begin; null if these are the oldest. */
  older: string | null;
};

/**
 * A hundred revoked or expired keys: those that ended last, or the next after `cursor`. @throws
 * ApiError
 */
export async function listEndedApiKeys(
  query: Pick<RouteQueryInput<typeof contract.listApiKeys>, 'status' | 'cursor'>,
): Promise<EndedApiKeysPage> {
  const response = await request(contract.listApiKeys, { query: { limit: 100, ...query } });
  return { apiKeys: response.data, older: response.next_cursor ?? null };
}

/** The key with this id or uuid. @throws ApiError NOT_FOUND for another account's as well */
export async function getApiKey(apiKey: string): Promise<ApiKey> {
  return (await request(contract.getApiKey, { params: { apiKey } })).data;
}

/**
 * The valid tokens of a key that were shown to people who may not change it. @throws ApiError
 */
export async function listTokensShownToOthers(apiKey: string): Promise<TokenShownToOthers[]> {
  return (await request(shownToOthersRoute, { params: { apiKey } })).data;
}

/**
 * Creates a key. Only this response contains `token`. If the request is sent again with its
 * idempotency key, the response has the same key with a fresh token. @throws ApiError
 */
export async function createApiKey(
  input: CreateApiKeyInput,
  idempotencyKey: string,
): Promise<{ apiKey: ApiKey; token: string; message: string }> {
  const { data } = await request(contract.createApiKey, { body: input, idempotencyKey });
  const { token, message, ...apiKey } = data;
  return { apiKey, token, message };
}

/**
 * Gives the key with this id or uuid a new token, which only this response contains. `message` says
 * what happened to the older tokens. If the request is sent again with its idempotency key, nothing
 * is rotated again, and the response has a fresh token. @throws ApiError
 */
export async function rotateApiKey(
  apiKey: string,
  input: RotationInput,
  idempotencyKey: string,
): Promise<{ token: string; message: string }> {
  const { data } = await request(contract.rotateApiKey, {
    params: { apiKey },
    body: input,
    idempotencyKey,
  });
  if ('token' in data) return data;
  throw new Error('The service only said what a rotation would do.');
}

/**
 * Previews what a rotation of the key with this id or uuid would do to each of its valid tokens,
 * newest first. Changes nothing.
 * @throws ApiError as a rotation would
 */
export async function previewRotation(
  apiKey: string,
  input: RotationInput,
): Promise<RotationPreview['tokens']> {
  const { data } = await request(contract.rotateApiKey, {
    params: { apiKey },
    body: { ...input, dry_run: true },
    idempotencyKey: crypto.randomUUID(),
  });
  if ('tokens' in data) return data.tokens;
  throw new Error('The service rotated a key where it was asked what that would do.');
}

/** Changes the given fields of the key with this id or uuid. @throws ApiError */
export async function updateApiKey(apiKey: string, input: UpdateApiKeyInput): Promise<ApiKey> {
  return (await request(contract.updateApiKey, { params: { apiKey }, body: input })).data;
}

/** Revokes the key with this id or uuid and all its tokens, for good. @throws ApiError */
export async function revokeApiKey(apiKey: string, input: RevokeApiKeyInput): Promise<void> {
  await request(contract.revokeApiKey, { params: { apiKey }, body: input });
}

/** Ends an older token of the key at once. @throws ApiError NOT_FOUND when it has ended already */
export async function endToken(apiKey: string, token: number): Promise<void> {
  await request(contract.endToken, { params: { apiKey, token: String(token) } });
}

/** Finds the key of a token in the account by the token's digest. @throws ApiError */
export async function findTokenOfAccount(input: FindTokenInput): Promise<FoundTokenOfAccount> {
  return (await request(findTokenRoute, { body: input })).data;
}

/**
 * Confirms that the person has the newest token of the key, which they were shown. @throws ApiError
 */
export async function confirmToken(apiKey: string, input: ConfirmTokenInput): Promise<void> {
  await request(unconfirmed.confirmToken, { params: { apiKey }, body: input });
}

/**
 * Replaces the newest token, which is unconfirmed, with a new one, which only this response
 * contains. If the request is sent again with its idempotency key, the token it created is replaced
 * with a fresh one.
 * @throws ApiError
 */
export async function replaceUnconfirmedToken(
  apiKey: string,
  input: NewestTokenInput,
  idempotencyKey: string,
): Promise<{ token: string; message: string }> {
  const route = unconfirmed.replaceUnconfirmedToken;
  return (await request(route, { params: { apiKey }, body: input, idempotencyKey })).data;
}

/**
 * Ends the newest token of the key, which is unconfirmed, so that the token before it is the newest
 * again. @throws ApiError
 */
export async function undoRotation(apiKey: string, input: NewestTokenInput): Promise<void> {
  await request(unconfirmed.undoRotation, { params: { apiKey }, body: input });
}
