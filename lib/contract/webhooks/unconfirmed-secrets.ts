import { z } from 'zod';
import { givenLastFour } from '../fields/fields.ts';
import { instantField } from '../fields/instants.ts';
import { defineRoute } from '../route.ts';

/** Which secret it is: named by its last characters, or by when it was shown. */
export const confirmSecretInput = z
  .strictObject({
    last_four: givenLastFour.optional(),
    shown_at: instantField.optional().describe('`unconfirmed.since` of the secret.'),
  })
  .refine(({ last_four: lastFour, shown_at: shownAt }) => (lastFour ?? shownAt) !== undefined, {
    path: ['last_four'],
    message: 'Use the last four characters, or the time at which it was shown.',
  })
  .meta({ examples: [{ last_four: 'Li4=' }] });

export const confirmSecret = defineRoute({
  name: 'confirmSecret',
  method: 'POST',
  path: '/api/dashboard/webhooks/{webhook}/confirm-secret',
  summary: 'Confirm that you have the newest signing secret of a webhook',
  description:
    'Only for the person it was shown to, because no one else can know. No fresh proof is needed, because confirming gives no access. Confirming a confirmed secret changes nothing.',
  access: { scope: null, act: 'webhooks.regenerate-secret' },
  body: confirmSecretInput,
  response: { 204: null },
});
