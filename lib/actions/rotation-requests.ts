'use server';

import { z } from 'zod';
import * as api from '../api/rotation-requests.ts';
import { rotationInput } from '../contract/api-keys.ts';
import type { RotationInput } from '../contract/api-keys.ts';
import { requestRotationInput } from '../contract/rotation-requests.ts';
import type { RequestRotationInput, RotationRequest } from '../contract/rotation-requests.ts';
import type { ActionResult } from './action-result.ts';
import { attempt } from './attempt.ts';

/** @param apiKey id or uuid */
export async function requestRotation(
  apiKey: string,
  input: RequestRotationInput,
): Promise<ActionResult<{ request: RotationRequest }>> {
  return await attempt(requestRotationInput, input, async (valid) => ({
    request: await api.requestRotation(apiKey, valid),
  }));
}

/** The token goes into component state and nowhere else. @param request uuid */
export async function rotateOnRequest(
  request: string,
  input: RotationInput,
): Promise<ActionResult<{ token: string; message: string }>> {
  return await attempt(rotationInput, input, (valid) => api.rotateOnRequest(request, valid));
}

/** @param request uuid of a request that says the token leaked */
export async function revokeLeakedKey(request: string): Promise<ActionResult> {
  return await attempt(z.guid(), request, async (valid) => {
    await api.revokeLeakedKey(valid);
    return {};
  });
}

/** Withdraws one's own request, or declines one that names one. @param request uuid */
export async function closeRotationRequest(request: string): Promise<ActionResult> {
  return await attempt(z.guid(), request, async (valid) => {
    await api.closeRotationRequest(valid);
    return {};
  });
}
