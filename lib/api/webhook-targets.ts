import 'server-only';
import * as contract from '../contract/webhooks/webhook-targets.ts';
import type { WebhookTargets } from '../contract/webhooks/webhook-targets.ts';
import { ApiError } from './api-error.ts';
import { request } from './client/client.ts';

/**
 * Which addresses a webhook may have. Null if it cannot be read: a form works without it, because
 * the service refuses the others with a message.
 */
export async function findWebhookTargets(): Promise<WebhookTargets | null> {
  try {
    return (await request(contract.getWebhookTargets, {})).data;
  } catch (error) {
    if (error instanceof ApiError) return null;
    throw error;
  }
}
