import 'server-only';

import { cache } from 'react';

import { getRotationRequest } from '#lib/api/rotation-requests.ts';
import type { RotationRequest } from '#lib/contract/api-keys/rotation-requests.ts';

import { orNotFound } from '../../failed-read.ts';

/** The request in the URL, read once per request. @throws ApiError as `orNotFound` does */
export const findRotationRequest: (uuid: string) => Promise<RotationRequest> = cache(
  async (uuid) => await orNotFound(getRotationRequest(uuid)),
);
