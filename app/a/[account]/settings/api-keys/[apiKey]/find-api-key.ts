import 'server-only';

import { cache } from 'react';

import { getApiKey } from '#lib/api/api-keys.ts';
import type { ApiKey } from '#lib/contract/api-keys/api-key.ts';

import { orNotFound } from '../../failed-read.ts';

/** The key in the URL, read once per request. @throws ApiError as `orNotFound` does */
export const findApiKey: (reference: string) => Promise<ApiKey> = cache(
  async (reference) => await orNotFound(getApiKey(reference)),
);
