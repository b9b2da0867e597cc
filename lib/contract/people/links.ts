import { z } from 'zod';
import { boundedText } from '../fields/bounded-text.ts';
import { success } from '../fields/fields.ts';
import { secret } from '../fields/secret.ts';
import { defineRoute } from '../route.ts';

/** What the links with a token are for. */
export const linkKinds = [
  'invitation',
  'password_reset',
  'email_confirmation',
  'email_revocation',
  'set_up',
] as const;

export type LinkKind = (typeof linkKinds)[number];

const openLinkInput = z.strictObject({
  kind: z.enum(linkKinds, { error: `Use one of: ${linkKinds.join(', ')}.` }),
  token: boundedText(200).describe('The token in the link.'),
});

export const openLink = defineRoute({
  name: 'openLink',
  method: 'POST',
  path: '/api/dashboard/links',
  summary: 'Exchange the token of a link for one that only this browser has',
  description:
    'The token in the link no longer works, also where it was kept, such as in the browser’s history. The new one works as long as the link would have.',
  access: 'dashboard',
  oneTime: true,
  body: openLinkInput,
  response: {
    201: success(
      z.object({
        token: secret(
          z.string().describe('Takes the place of the token of the link in other calls.'),
        ),
        max_age: z.int().describe('How long the browser may keep it, in seconds.'),
      }),
    ),
  },
});
