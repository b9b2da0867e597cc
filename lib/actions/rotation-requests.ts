'use server';

import * as api from '../api/rotation-requests.ts';
import type { RotationInput } from '../contract/api-keys/rotation.ts';
import type {
  DeclineInput,
  RequestRotationInput,
  RequestWebhookActInput,
  RotationRequest,
} from '../contract/api-keys/rotation-requests.ts';
import { actionArguments } from './action-arguments.ts';
import type { ActionResult } from './action-result.ts';
import { runServerAction } from './run-server-action.ts';

/** @param apiKey id or uuid */
export async function requestRotation(
  apiKey: string,
  input: RequestRotationInput,
): Promise<ActionResult<{ request: RotationRequest }>> {
  return await runServerAction(actionArguments.requestRotation, [apiKey, input], async (valid) => ({
    request: await api.requestRotation(...valid),
  }));
}

/** @param webhook id or uuid */
export async function requestWebhookAct(
  webhook: string,
  input: RequestWebhookActInput,
): Promise<ActionResult<{ request: RotationRequest }>> {
  return await runServerAction(
    actionArguments.requestWebhookAct,
    [webhook, input],
    async (valid) => ({ request: await api.requestWebhookAct(...valid) }),
  );
}

/** Store the token in component state only. @param request uuid */
export async function rotateOnRequest(
  request: string,
  input: RotationInput,
  idempotencyKey: string,
): Promise<ActionResult<{ token: string; message: string }>> {
  return await runServerAction(
    actionArguments.rotateOnRequest,
    [request, input, idempotencyKey],
    (valid) => api.rotateOnRequest(...valid),
  );
}

/** @param request uuid of a request that says the token leaked */
export async function revokeLeakedKey(request: string): Promise<ActionResult> {
  return await runServerAction(actionArguments.revokeLeakedKey, [request], async (valid) => {
    await api.revokeLeakedKey(...valid);
    return {};
  });
}

/** Withdraws the person's own request. @param request uuid */
export async function withdrawRotationRequest(request: string): Promise<ActionResult> {
  return await runServerAction(
    actionArguments.withdrawRotationRequest,
    [request],
    async (valid) => {
      await api.withdrawRotationRequest(...valid);
      return {};
    },
  );
}

/** Declines a request that names the person. @param request uuid */
export async function declineRotationRequest(
  request: string,
  input: DeclineInput,
): Promise<ActionResult> {
  return await runServerAction(
    actionArguments.declineRotationRequest,
    [request, input],
    async (valid) => {
      await api.declineRotationRequest(...valid);
      return {};
    },
  );
}
