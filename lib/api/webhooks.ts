import 'server-only';
import * as contract from '../contract/webhooks.ts';
import type {
  CreateWebhookInput,
  RegenerateSecretInput,
  UpdateWebhookInput,
  Webhook,
} from '../contract/webhooks.ts';
import { request } from './client.ts';

/** Every webhook of the account with the state behind `is_active`. @throws ApiError */
export async function listWebhooks(): Promise<Webhook[]> {
  const { data } = await request(contract.listWebhooks, { query: { include: 'state' } });
  return data.map((item) => {
    if ('status' in item) return item;
    throw new Error('The service listed a webhook without its state.');
  });
}

/** @throws ApiError */
export async function createWebhook(input: CreateWebhookInput): Promise<Webhook> {
  return (await request(contract.createWebhook, { body: input })).data;
}

/** @throws ApiError */
export async function updateWebhook(webhook: string, input: UpdateWebhookInput): Promise<Webhook> {
  return (await request(contract.updateWebhook, { params: { webhook }, body: input })).data;
}

/** @throws ApiError */
export async function deleteWebhook(webhook: string): Promise<void> {
  await request(contract.deleteWebhook, { params: { webhook } });
}

/**
 * Makes a new signing secret, in this answer only. `message` says until when the old one signs.
 * @throws ApiError
 */
export async function regenerateWebhookSecret(
  webhook: string,
  input: RegenerateSecretInput,
): Promise<{ secret: string; message: string }> {
  const route = contract.regenerateWebhookSecret;
  return (await request(route, { params: { webhook }, body: input })).data;
}
