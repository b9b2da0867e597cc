import { z } from 'zod';
import { givenLastFour, success } from '../fields/fields.ts';
import { defineRoute } from '../route.ts';
import { rotatedToken } from './rotation.ts';

/**
 * A token that was shown in the dashboard is unconfirmed until the person it was shown to says that
 * they have it. These routes deal with an unconfirmed token; revoking its key is another way.
 */
export const newestTokenInput = z.strictObject({
  expected_last_four: givenLastFour.describe(
    'The last four characters of the newest token. If the newest token has others, nothing changes.',
  ),
});

export type NewestTokenInput = z.input<typeof newestTokenInput>;

export const confirmTokenInput = z.strictObject({ last_four: givenLastFour });

export const confirmToken = defineRoute({
  name: 'confirmToken',
  method: 'POST',
  path: '/api/dashboard/api-keys/{apiKey}/confirm-token',
  summary: 'Confirm that you have the newest token of a key',
  description:
    'Only for the person it was shown to, because no one else can know. No fresh proof is needed, because confirming gives no access. Confirming a confirmed token changes nothing.',
  access: { scope: null, act: 'api-keys.rotate' },
  body: confirmTokenInput,
  response: { 204: null },
});

export const replaceUnconfirmedToken = defineRoute({
  name: 'replaceUnconfirmedToken',
  method: 'POST',
  path: '/api/dashboard/api-keys/{apiKey}/replace-unconfirmed-token',
  summary: 'Replace an unconfirmed token with a new one that you are shown',
  description:
    'The unconfirmed token never works again, and older tokens keep their deadlines. For members who may rotate the key; those who may not end tokens can replace only a token that was shown to themselves. Open rotation requests stay open. Refused if the newest token was confirmed or used.',
  access: { scope: null, act: 'api-keys.rotate' },
  oneTime: true,
  needsProof: true,
  body: newestTokenInput,
  onRepeat: 'fresh-secret',
  response: { 201: success(rotatedToken) },
});

export const undoRotation = defineRoute({
  name: 'undoRotation',
  method: 'POST',
  path: '/api/dashboard/api-keys/{apiKey}/undo-rotation',
  summary: 'Undo a rotation whose new token is unconfirmed',
  description:
    'The newest token ends, and the one before it is the newest again: it works as long as the key does, as before. Tokens older than that keep their deadlines. For the person who rotated the key and was shown the token, and for members who may end tokens. Refused if the newest token was confirmed or used, if the one before it has ended, or if the key was rotated because of a leak or someone has reported one. Repeating the call changes nothing.',
  access: { scope: null, act: 'api-keys.rotate' },
  needsProof: true,
  body: newestTokenInput,
  response: { 204: null },
});
