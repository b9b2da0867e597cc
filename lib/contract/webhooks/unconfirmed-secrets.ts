import { z } from 'zod';
import { givenLastFour, instant } from '../fields.ts';
import { defineRoute } from '../route.ts';

/** Which secret it is: by what one has of it, or by when one was shown it. */
export const confirmSecretInput = z
  .strictObject({
    last_four: givenLastFour.optional(),
    shown_at: instant.optional().describe('`unconfirmed.since` of the secret.'),
  })
  .refine(({ last_four: lastFour, shown_at: shownAt }) => (lastFour ?? shownAt) !== undefined, {
    path: ['last_four'],
    message: 'Give the last four characters, or when it was shown.',
  })
  .meta({ examples: [{ last_four: 'Li4=' }] });

export type ConfirmSecretInput = z.input<typeof confirmSecretInput>;

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
