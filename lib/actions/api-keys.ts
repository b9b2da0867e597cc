'use server';

import * as api from '../api/api-keys.ts';
import { createApiKeyInput, rotateApiKeyInput } from '../contract/api-keys.ts';
import type { ApiKey, CreateApiKeyInput, RotateApiKeyInput } from '../contract/api-keys.ts';
import type { ActionResult } from './action-result.ts';
import { attempt } from './attempt.ts';

/** The token goes into component state and nowhere else. */
export async function createApiKey(
  input: CreateApiKeyInput,
): Promise<ActionResult<{ apiKey: ApiKey; token: string; message: string }>> {
  return await attempt(createApiKeyInput, input, api.createApiKey);
}

/** @param apiKey id or uuid */
export async function rotateApiKey(
  apiKey: string,
  input: RotateApiKeyInput,
): Promise<ActionResult<{ token: string; message: string }>> {
  return await attempt(rotateApiKeyInput, input, (valid) => api.rotateApiKey(apiKey, valid));
}
