import 'server-only';

import { cache } from 'react';

import { getWebhook } from '#lib/api/webhooks.ts';
import type { Webhook } from '#lib/contract/webhooks/webhook.ts';

import { orNotFound } from '../../failed-read.ts';

/** The webhook in the URL, read once per request. @throws ApiError as `orNotFound` does */
export const findWebhook: (reference: string) => Promise<Webhook> = cache(
  async (reference) => await orNotFound(getWebhook(reference)),
);
