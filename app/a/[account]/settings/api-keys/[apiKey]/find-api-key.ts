import { notFound } from 'next/navigation';
import { cache } from 'react';

import { ApiError } from '#lib/api/api-error.ts';
import { getApiKey } from '#lib/api/api-keys.ts';
import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';

/**
 * The key in the URL, read once per request. A key that does not exist or belongs to another
 * account leads to the not-found page.
 * @throws ApiError for everything else
 */
export const findApiKey: (reference: string) => Promise<ApiKey> = cache(async (reference) => {
  try {
    return await getApiKey(reference);
  } catch (error) {
    if (error instanceof ApiError && error.code === 'NOT_FOUND') notFound();
    throw error;
  }
});
