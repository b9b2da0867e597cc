import 'server-only';
import * as contract from '../contract/webhooks/webhooks.ts';
import type { Webhook } from '../contract/webhooks/webhook.ts';
import type {
  CreateWebhookInput,
  RegenerateSecretInput,
  UpdateWebhookInput,
} from '../contract/webhooks/webhook-inputs.ts';
import { confirmSecret as confirmSecretRoute } from '../contract/webhooks/unconfirmed-secrets.ts';
import type { ConfirmSecretInput } from '../contract/webhooks/unconfirmed-secrets.ts';
import { request } from './client/client.ts';
import { getWebhookBacklog } from '../contract/webhooks/webhook-backlog.ts';
import type { WebhookBacklog } from '../contract/webhooks/webhook-backlog.ts';

/** Every webhook of the account, with its state. @throws ApiError */
export async function listWebhooks(): Promise<Webhook[]> {
  const { data } = await request(contract.listWebhooks, { query: { include: 'state' } });
  return data.map((item) => {
    if ('status' in item) return item;
    throw new Error('The service listed a webhook without its state.');
  });
}

/** The webhook with this id or uuid. @throws ApiError NOT_FOUND for another account's as well */
export async function getWebhook(webhook: string): Promise<Webhook> {
  return (await request(contract.getWebhook, { params: { webhook } })).data;
}

/**
 * Creates a webhook. If the request is sent again with its idempotency key, no second webhook is
 * created. @throws ApiError
 */
export async function createWebhook(
  input: CreateWebhookInput,
  idempotencyKey: string,
): Promise<Webhook> {
  return (await request(contract.createWebhook, { body: input, idempotencyKey })).data;
}

/** Changes the given fields of the webhook with this id or uuid. @throws ApiError */
export async function updateWebhook(webhook: string, input: UpdateWebhookInput): Promise<Webhook> {
  return (await request(contract.updateWebhook, { params: { webhook }, body: input })).data;
}

/** @throws ApiError */
export async function deleteWebhook(webhook: string): Promise<void> {
  await request(contract.deleteWebhook, { params: { webhook } });
}

/**
 * How many events an inactive webhook was not sent: resuming it with `backlog: 'deliver'` would
 * deliver these. Changes nothing.
 * @throws ApiError
 */
export async function countBacklog(webhook: string): Promise<WebhookBacklog> {
  return (await request(getWebhookBacklog, { params: { webhook } })).data;
}

/**
 * Creates a new signing secret, which only this response contains. `message` says until when the
 * old one signs. If the request is sent again with its idempotency key, the secret it created is
 * replaced with a fresh one.
 * @throws ApiError
 */
export async function regenerateWebhookSecret(
  webhook: string,
  input: RegenerateSecretInput,
  idempotencyKey: string,
): Promise<{ secret: string; message: string }> {
  const route = contract.regenerateWebhookSecret;
  return (await request(route, { params: { webhook }, body: input, idempotencyKey })).data;
}

/**
 * Confirms that the person has the newest signing secret, which they were shown. @throws ApiError
 */
export async function confirmSecret(webhook: string, input: ConfirmSecretInput): Promise<void> {
  await request(confirmSecretRoute, { params: { webhook }, body: input });
}
