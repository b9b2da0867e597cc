import { unstable_rethrow } from 'next/navigation';

import type { Webhook } from '#lib/contract/webhooks/webhooks.ts';

import { findWebhook } from './find-webhook.ts';

/**
 * Null for one that could not be read just now: the page then asks again and says what went wrong.
 */
export async function findWebhookIfReadable(reference: string): Promise<Webhook | null> {
  try {
    return await findWebhook(reference);
  } catch (error) {
    unstable_rethrow(error);
    return null;
  }
}
