import { z } from 'zod';
import { givenLastFour } from '../api-keys/api-keys.ts';
import { defineRoute } from '../route.ts';

export const confirmSecretInput = z.strictObject({ last_four: givenLastFour });

export const confirmSecret = defineRoute({
  name: 'confirmSecret',
  method: 'POST',
  path: '/api/dashboard/webhooks/{webhook}/confirm-secret',
  summary: 'Say that one has the newest signing secret of a webhook',
  description:
    'For the person it was shown to only: nobody else knows. It needs no proof, since it gives nobody anything. Confirming a confirmed secret changes nothing.',
  access: { scope: null, act: 'webhooks.regenerate-secret' },
  body: confirmSecretInput,
  reply: { 204: null },
});
