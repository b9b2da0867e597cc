import { notFound } from 'next/navigation';
import { cache } from 'react';

import { ApiError } from '#lib/api/api-error.ts';
import { getApiKey } from '#lib/api/api-keys.ts';
import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';

/**
 * The key of the address, read once per request. One that doesn't exist, or belongs to another
 * account, leads to the page that says so.
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
