import { z } from 'zod';
import { boundedText } from '../bounded-text.ts';
import { email } from './sessions.ts';
import { success, timestamp } from '../fields.ts';
import { defineRoute } from '../route.ts';

/** How long the new address can be confirmed, in hours. */
export const emailConfirmationHours = 24;

/** How long the previous address can take a change back, in days: from the request, and again from the change. */
export const emailRevocationDays = 7;

/** A change that the new address has not confirmed yet. */
const pendingEmailChange = z.object({
  email: z.string(),
  expires_at: timestamp.describe('Until when it can be confirmed.'),
  is_mailed: z
    .boolean()
    .describe(
      'Whether the links were emailed. If not, whoever runs the service can read them in its outbox.',
    ),
});

export const emailChange = z.object({
  pending: pendingEmailChange.nullable(),
  fixed_until: timestamp
    .nullable()
    .describe(
      'Until when the email stays as it is, because it was changed recently and the previous address can take that back.',
    ),
});

export type EmailChange = z.infer<typeof emailChange>;

export const getEmailChange = defineRoute({
  name: 'getEmailChange',
  method: 'GET',
  path: '/api/dashboard/email-change',
  summary: 'Whether one’s email is about to change, or was changed recently',
  access: 'person',
  reply: { 200: success(emailChange) },
});

export const requestEmailChangeInput = z.strictObject({ email });

export const requestEmailChange = defineRoute({
  name: 'requestEmailChange',
  method: 'POST',
  path: '/api/dashboard/email-change',
  summary: 'Ask to change one’s email',
  description:
    'Emails a link to the new address that confirms it, for 24 hours, and one to the address there ' +
    'is that takes the change back, until 7 days after it. The answer is the same if the address ' +
    'belongs to somebody else; then the email to it has no link. A change that waits already is ' +
    'cancelled. Refused for 7 days after a change. An hour has 5.',
  access: 'person',
  needsProof: true,
  body: requestEmailChangeInput,
  reply: { 201: success(emailChange) },
});

export const cancelEmailChange = defineRoute({
  name: 'cancelEmailChange',
  method: 'DELETE',
  path: '/api/dashboard/email-change',
  summary: 'Cancel the change of one’s email that waits to be confirmed, if one does',
  access: 'person',
  reply: { 204: null },
});

const linkToken = boundedText(200);

export const confirmEmailInput = z.strictObject({ confirm_token: linkToken });

export const checkEmailConfirmation = defineRoute({
  name: 'checkEmailConfirmation',
  method: 'POST',
  path: '/api/dashboard/email-change/confirmation/check',
  summary: 'Whose new address a link confirms, and until when',
  description: 'Does not use it up.',
  access: 'dashboard',
  body: confirmEmailInput,
  reply: {
    200: success(z.object({ email: z.string(), name: z.string(), expires_at: timestamp })),
  },
});

export const confirmEmail = defineRoute({
  name: 'confirmEmail',
  method: 'POST',
  path: '/api/dashboard/email-change/confirmation',
  summary: 'Confirm a new address, which changes the person’s email',
  access: 'dashboard',
  body: confirmEmailInput,
  reply: { 200: success(z.object({ email: z.string() })) },
});

export const revokeEmailChangeInput = z.strictObject({ revoke_token: linkToken });

export const checkEmailRevocation = defineRoute({
  name: 'checkEmailRevocation',
  method: 'POST',
  path: '/api/dashboard/email-change/revocation/check',
  summary: 'Which change of an email a link takes back, and until when',
  description: 'Does not use it up.',
  access: 'dashboard',
  body: revokeEmailChangeInput,
  reply: {
    200: success(
      z.object({
        email: z.string().describe('The address that stays or comes back.'),
        new_email: z.string(),
        is_changed: z.boolean().describe('Whether the new address was confirmed.'),
        expires_at: timestamp,
      }),
    ),
  },
});

export const revokeEmailChange = defineRoute({
  name: 'revokeEmailChange',
  method: 'POST',
  path: '/api/dashboard/email-change/revocation',
  summary: 'Take back a change of an email',
  description:
    'Brings the previous address back, signs the person out everywhere and voids their password. ' +
    '`reset_token` chooses a new one, within 30 minutes. A second factor stays.',
  access: 'dashboard',
  body: revokeEmailChangeInput,
  reply: { 200: success(z.object({ email: z.string(), reset_token: z.string() })) },
});
