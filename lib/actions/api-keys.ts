'use server';

import { z } from 'zod';
import * as api from '../api/api-keys.ts';
import {
  createApiKeyInput,
  revokeApiKeyInput,
  rotationInput,
  updateApiKeyInput,
} from '../contract/api-keys.ts';
import type {
  ApiKey,
  CreateApiKeyInput,
  RevokeApiKeyInput,
  RotationInput,
  UpdateApiKeyInput,
} from '../contract/api-keys.ts';
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
  input: RotationInput,
): Promise<ActionResult<{ token: string; message: string }>> {
  return await attempt(rotationInput, input, (valid) => api.rotateApiKey(apiKey, valid));
}

/** @param apiKey id or uuid */
export async function updateApiKey(
  apiKey: string,
  input: UpdateApiKeyInput,
): Promise<ActionResult<{ apiKey: ApiKey }>> {
  return await attempt(updateApiKeyInput, input, async (valid) => ({
    apiKey: await api.updateApiKey(apiKey, valid),
  }));
}

/** @param apiKey id or uuid */
export async function revokeApiKey(
  apiKey: string,
  input: RevokeApiKeyInput,
): Promise<ActionResult> {
  return await attempt(revokeApiKeyInput, input, async (valid) => {
    await api.revokeApiKey(apiKey, valid);
    return {};
  });
}

/** @param apiKey id or uuid; `token` the id of one of its older tokens */
export async function endToken(apiKey: string, token: number): Promise<ActionResult> {
  return await attempt(z.int(), token, async (valid) => {
    await api.endToken(apiKey, valid);
    return {};
  });
}
