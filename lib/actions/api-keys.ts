'use server';

import * as api from '../api/api-keys.ts';
import type { ApiKey } from '../contract/api-keys/api-key.ts';
import type {
  CreateApiKeyInput,
  RevokeApiKeyInput,
  UpdateApiKeyInput,
} from '../contract/api-keys/key-inputs.ts';
import type { RotationInput, RotationPreview } from '../contract/api-keys/rotation.ts';
import type { FindTokenInput, FoundTokenOfAccount } from '../contract/api-keys/token-search.ts';
import type {
  ConfirmTokenInput,
  NewestTokenInput,
} from '../contract/api-keys/unconfirmed-tokens.ts';
import { actionArguments } from './action-arguments.ts';
import type { ActionResult } from './action-result.ts';
import { runServerAction } from './run-server-action.ts';

/** Store the token in component state only. */
export async function createApiKey(
  input: CreateApiKeyInput,
  idempotencyKey: string,
): Promise<ActionResult<{ apiKey: ApiKey; token: string; message: string }>> {
  return await runServerAction(actionArguments.createApiKey, [input, idempotencyKey], (valid) =>
    api.createApiKey(...valid),
  );
}

/** @param apiKey id or uuid */
export async function rotateApiKey(
  apiKey: string,
  input: RotationInput,
  idempotencyKey: string,
): Promise<ActionResult<{ token: string; message: string }>> {
  return await runServerAction(
    actionArguments.rotateApiKey,
    [apiKey, input, idempotencyKey],
    (valid) => api.rotateApiKey(...valid),
  );
}

/** @param apiKey id or uuid */
export async function previewRotation(
  apiKey: string,
  input: RotationInput,
): Promise<ActionResult<{ tokens: RotationPreview['tokens'] }>> {
  return await runServerAction(actionArguments.previewRotation, [apiKey, input], async (valid) => ({
    tokens: await api.previewRotation(...valid),
  }));
}

/** @param apiKey id or uuid */
export async function updateApiKey(
  apiKey: string,
  input: UpdateApiKeyInput,
): Promise<ActionResult<{ apiKey: ApiKey }>> {
  return await runServerAction(actionArguments.updateApiKey, [apiKey, input], async (valid) => ({
    apiKey: await api.updateApiKey(...valid),
  }));
}

/** @param apiKey id or uuid */
export async function revokeApiKey(
  apiKey: string,
  input: RevokeApiKeyInput,
): Promise<ActionResult> {
  return await runServerAction(actionArguments.revokeApiKey, [apiKey, input], async (valid) => {
    await api.revokeApiKey(...valid);
    return {};
  });
}

/** @param apiKey id or uuid; `token` the id of one of its older tokens */
export async function endToken(apiKey: string, token: number): Promise<ActionResult> {
  return await runServerAction(actionArguments.endToken, [apiKey, token], async (valid) => {
    await api.endToken(...valid);
    return {};
  });
}

/** Finds the key of a token. Takes only the digest: the token stays in the browser. */
export async function findTokenOfAccount(
  input: FindTokenInput,
): Promise<ActionResult<{ found: FoundTokenOfAccount }>> {
  return await runServerAction(actionArguments.findTokenOfAccount, [input], async (valid) => ({
    found: await api.findTokenOfAccount(...valid),
  }));
}

/** @param apiKey id or uuid */
export async function confirmToken(
  apiKey: string,
  input: ConfirmTokenInput,
): Promise<ActionResult> {
  return await runServerAction(actionArguments.confirmToken, [apiKey, input], async (valid) => {
    await api.confirmToken(...valid);
    return {};
  });
}

/** Store the token in component state only. @param apiKey id or uuid */
export async function replaceUnconfirmedToken(
  apiKey: string,
  input: NewestTokenInput,
  idempotencyKey: string,
): Promise<ActionResult<{ token: string; message: string }>> {
  const given = [apiKey, input, idempotencyKey];
  return await runServerAction(actionArguments.replaceUnconfirmedToken, given, (valid) =>
    api.replaceUnconfirmedToken(...valid),
  );
}

/** @param apiKey id or uuid */
export async function undoRotation(apiKey: string, input: NewestTokenInput): Promise<ActionResult> {
  return await runServerAction(actionArguments.undoRotation, [apiKey, input], async (valid) => {
    await api.undoRotation(...valid);
    return {};
  });
}
