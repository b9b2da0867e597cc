import { z } from 'zod';
import { boundedText } from '../fields/bounded-text.ts';
import { email } from './credentials.ts';
import { success, timestamp } from '../fields/fields.ts';
import { secret } from '../fields/secret.ts';
import { defineRoute } from '../route.ts';

/** How long the new address can be confirmed, in hours. */
export const emailConfirmationHours = 24;

/** The previous address can undo a change for these days: from the request, and from the change. */
export const emailRevocationDays = 7;

/** A change that the new address has not confirmed yet. */
const pendingEmailChange = z.object({
  email: z.string(),
  expires_at: timestamp.describe('Until when it can be confirmed.'),
  is_mailed: z
    .boolean()
    .describe(
      'Whether the links were emailed. If not, the operator can read them in the outbox of the service.',
    ),
});

export const emailChange = z.object({
  pending: pendingEmailChange.nullable(),
  fixed_until: timestamp
    .nullable()
    .describe(
      'Until when the email stays as it is, because it was changed recently and the previous address can undo that.',
    ),
});

export type EmailChange = z.infer<typeof emailChange>;

export const getEmailChange = defineRoute({
  name: 'getEmailChange',
  method: 'GET',
  path: '/api/dashboard/email-change',
  summary: 'Get whether your email address is about to change, or was changed recently',
  access: 'person',
  response: { 200: success(emailChange) },
});

const requestEmailChangeInput = z.strictObject({ email });

export const requestEmailChange = defineRoute({
  name: 'requestEmailChange',
  method: 'POST',
  path: '/api/dashboard/email-change',
  summary: 'Request a change of your email address',
  description:
    'Emails a link to the new address that confirms it, valid for 24 hours, and a link to the current address that undoes the change, valid until 7 days after the change. The response is the same if the new address belongs to someone else; the email to it then has no link. A pending change is cancelled. Refused for 7 days after a change. At most 5 an hour.',
  access: 'person',
  needsProof: true,
  body: requestEmailChangeInput,
  response: { 201: success(emailChange) },
});

export const cancelEmailChange = defineRoute({
  name: 'cancelEmailChange',
  method: 'DELETE',
  path: '/api/dashboard/email-change',
  summary: 'Cancel your pending change of email address, if there is one',
  access: 'person',
  response: { 204: null },
});

const linkToken = boundedText(200);

const confirmEmailInput = z.strictObject({ confirm_token: linkToken });

export const checkEmailConfirmation = defineRoute({
  name: 'checkEmailConfirmation',
  method: 'POST',
  path: '/api/dashboard/email-change/confirmation/check',
  summary: 'Get the new address that a link confirms, and its deadline',
  description: 'Does not use up the link.',
  access: 'dashboard',
  body: confirmEmailInput,
  response: {
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
  response: { 200: success(z.object({ email: z.string() })) },
});

const revokeEmailChangeInput = z.strictObject({ revoke_token: linkToken });

export const checkEmailRevocation = defineRoute({
  name: 'checkEmailRevocation',
  method: 'POST',
  path: '/api/dashboard/email-change/revocation/check',
  summary: 'Get the change of an email address that a link undoes, and its deadline',
  description: 'Does not use up the link.',
  access: 'dashboard',
  body: revokeEmailChangeInput,
  response: {
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
  summary: 'Undo a change of an email address',
  description:
    'Brings the previous address back, signs the person out everywhere and voids their password. ' +
    '`reset_token` chooses a new one, within 30 minutes. A second factor stays.',
  access: 'dashboard',
  oneTime: true,
  body: revokeEmailChangeInput,
  response: { 200: success(z.object({ email: z.string(), reset_token: secret(z.string()) })) },
});
