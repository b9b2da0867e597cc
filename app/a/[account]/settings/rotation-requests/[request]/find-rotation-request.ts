import { notFound } from 'next/navigation';
import { cache } from 'react';

import { ApiError } from '#lib/api/api-error.ts';
import { getRotationRequest } from '#lib/api/rotation-requests.ts';
import type { RotationRequest } from '#lib/contract/api-keys/rotation-requests.ts';

/**
 * The request of the address, read once per request. One that doesn't exist, or is not for this
 * person, leads to the page that says so.
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
