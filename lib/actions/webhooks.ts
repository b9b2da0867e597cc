'use server';

import { z } from 'zod';
import * as api from '../api/webhooks.ts';
import {
  createWebhookInput,
  regenerateSecretInput,
  updateWebhookInput,
} from '../contract/webhooks.ts';
import type {
  CreateWebhookInput,
  RegenerateSecretInput,
  UpdateWebhookInput,
  Webhook,
} from '../contract/webhooks.ts';
import type { ActionResult } from './action-result.ts';
import { attempt } from './attempt.ts';

export async function createWebhook(
  input: CreateWebhookInput,
): Promise<ActionResult<{ webhook: Webhook }>> {
  return await attempt(createWebhookInput, input, async (valid) => ({
    webhook: await api.createWebhook(valid),
  }));
}

/** @param webhook id or uuid */
export async function updateWebhook(
  webhook: string,
  input: UpdateWebhookInput,
): Promise<ActionResult<{ webhook: Webhook }>> {
  return await attempt(updateWebhookInput, input, async (valid) => ({
    webhook: await api.updateWebhook(webhook, valid),
  }));
}

/** How many events it has missed. @param webhook id or uuid; `since` as the API wrote it */
export async function countMissedEvents(
  webhook: string,
  since: string,
): Promise<ActionResult<{ count: number }>> {
  return await attempt(z.string(), since, async (valid) => ({
    count: await api.countMissedEvents(webhook, valid),
  }));
}

/** @param webhook id or uuid */
export async function deleteWebhook(webhook: string): Promise<ActionResult> {
  return await attempt(z.string(), webhook, async (valid) => {
    await api.deleteWebhook(valid);
    return {};
  });
}

/** The secret goes into component state and nowhere else. @param webhook id or uuid */
export async function regenerateWebhookSecret(
  webhook: string,
  input: RegenerateSecretInput,
): Promise<ActionResult<{ secret: string; message: string }>> {
  return await attempt(regenerateSecretInput, input, (valid) =>
    api.regenerateWebhookSecret(webhook, valid),
  );
}
