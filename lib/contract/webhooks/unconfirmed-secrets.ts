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
    message: 'Give the last four characters, or when it was shown.',
  })
  .meta({ examples: [{ last_four: 'Li4=' }] });

export const confirmSecret = defineRoute({
  name: 'confirmSecret',
  method: 'POST',
  path: '/api/dashboard/webhooks/{webhook}/confirm-secret',
  summary: 'Confirm that you have the newest signing secret of a webhook',
  description:
    'Only for the person to whom it was shown, because nobody else can know. Needs no fresh proof, because it gives nobody any access. Confirming a confirmed secret changes nothing.',
  access: { scope: null, act: 'webhooks.regenerate-secret' },
  body: confirmSecretInput,
  response: { 204: null },
});
