import { notFound } from 'next/navigation';
import { cache } from 'react';

import { ApiError } from '#lib/api/api-error.ts';
import { getRotationRequest } from '#lib/api/rotation-requests.ts';
import type { RotationRequest } from '#lib/contract/api-keys/rotation-requests.ts';

/**
 * The request in the URL, read once per request. A request that does not exist or that this person
 * may not see leads to the not-found page.
 * @throws ApiError for everything else
 */
export const findRotationRequest: (uuid: string) => Promise<RotationRequest> = cache(
  async (uuid) => {
    try {
      return await getRotationRequest(uuid);
    } catch (error) {
      if (error instanceof ApiError && error.code === 'NOT_FOUND') notFound();
      throw error;
    }
  },
);
