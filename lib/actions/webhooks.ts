'use server';

import * as api from '../api/webhooks.ts';
import type { WebhookBacklog } from '../contract/webhooks/webhook-backlog.ts';
import type { Webhook } from '../contract/webhooks/webhook.ts';
import type {
  CreateWebhookInput,
  RegenerateSecretInput,
  UpdateWebhookInput,
} from '../contract/webhooks/webhook-inputs.ts';
import type { ConfirmSecretInput } from '../contract/webhooks/unconfirmed-secrets.ts';
import { actionArguments } from './action-arguments.ts';
import type { ActionResult } from './action-result.ts';
import { runServerAction } from './run-server-action.ts';

export async function createWebhook(
  input: CreateWebhookInput,
  idempotencyKey: string,
): Promise<ActionResult<{ webhook: Webhook }>> {
  const given = [input, idempotencyKey];
  return await runServerAction(actionArguments.createWebhook, given, async (valid) => ({
    webhook: await api.createWebhook(...valid),
  }));
}

/** @param webhook id or uuid */
export async function updateWebhook(
  webhook: string,
  input: UpdateWebhookInput,
): Promise<ActionResult<{ webhook: Webhook }>> {
  return await runServerAction(actionArguments.updateWebhook, [webhook, input], async (valid) => ({
    webhook: await api.updateWebhook(...valid),
  }));
}

/** Counts the events that an inactive webhook was not sent. @param webhook id or uuid */
export async function countBacklog(
  webhook: string,
): Promise<ActionResult<{ backlog: WebhookBacklog }>> {
  return await runServerAction(actionArguments.countBacklog, [webhook], async (valid) => ({
    backlog: await api.countBacklog(...valid),
  }));
}

/** @param webhook id or uuid */
export async function deleteWebhook(webhook: string): Promise<ActionResult> {
  return await runServerAction(actionArguments.deleteWebhook, [webhook], async (valid) => {
    await api.deleteWebhook(...valid);
    return {};
  });
}

/** Store the secret in component state only. @param webhook id or uuid */
export async function regenerateWebhookSecret(
  webhook: string,
  input: RegenerateSecretInput,
  idempotencyKey: string,
): Promise<ActionResult<{ secret: string; message: string }>> {
  const given = [webhook, input, idempotencyKey];
  return await runServerAction(actionArguments.regenerateWebhookSecret, given, (valid) =>
    api.regenerateWebhookSecret(...valid),
  );
}

/** @param webhook id or uuid */
export async function confirmSecret(
  webhook: string,
  input: ConfirmSecretInput,
): Promise<ActionResult> {
  return await runServerAction(actionArguments.confirmSecret, [webhook, input], async (valid) => {
    await api.confirmSecret(...valid);
    return {};
  });
}
