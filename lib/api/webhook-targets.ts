import 'server-only';
import * as contract from '../contract/webhooks/webhook-targets.ts';
import type { WebhookTargets } from '../contract/webhooks/webhook-targets.ts';
import { ApiError } from './api-error.ts';
import { request } from './client.ts';

/**
 * Which addresses a webhook may have. Null if the service does not say: a form can do without,
 * because the service refuses the others with a sentence.
 */
export async function findWebhookTargets(): Promise<WebhookTargets | null> {
  try {
    return (await request(contract.getWebhookTargets, {})).data;
  } catch (error) {
    if (error instanceof ApiError) return null;
    throw error;
  }
}
