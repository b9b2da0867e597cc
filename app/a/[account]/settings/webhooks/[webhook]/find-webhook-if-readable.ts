import { unstable_rethrow } from 'next/navigation';

import type { Webhook } from '#lib/contract/webhooks/webhook.ts';

import { findWebhook } from './find-webhook.ts';

/**
 * Null for a webhook that could not be read just now: the page then reads it again and shows the
 * error.
 */
export async function findWebhookIfReadable(reference: string): Promise<Webhook | null> {
  try {
    return await findWebhook(reference);
  } catch (error) {
    unstable_rethrow(error);
    return null;
  }
}
