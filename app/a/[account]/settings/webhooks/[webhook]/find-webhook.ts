import { notFound } from 'next/navigation';
import { cache } from 'react';

import { ApiError } from '#lib/api/api-error.ts';
import { getWebhook } from '#lib/api/webhooks.ts';
import type { Webhook } from '#lib/contract/webhooks/webhook.ts';

/**
 * The webhook in the URL, read once per request. A webhook that does not exist or belongs to
 * another account leads to the not-found page.
 * @throws ApiError for everything else
 */
export const findWebhook: (reference: string) => Promise<Webhook> = cache(async (reference) => {
  try {
    return await getWebhook(reference);
  } catch (error) {
    if (error instanceof ApiError && error.code === 'NOT_FOUND') notFound();
    throw error;
  }
});
