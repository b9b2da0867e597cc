import { z } from 'zod';
import { boundedText } from '../fields/bounded-text.ts';
import { email, newPassword } from './credentials.ts';
import { success, timestamp } from '../fields/fields.ts';
import { defineRoute } from '../route.ts';

/** How long a link to choose a new password can be used, in minutes. */
export const passwordResetMinutes = 30;

const requestPasswordResetInput = z.strictObject({ email });

export const requestPasswordReset = defineRoute({
  name: 'requestPasswordReset',
  method: 'POST',
  path: '/api/dashboard/password-reset',
  summary: 'Request a link to choose a new password',
  description:
    'Emails the link to the person with this email address, if there is one: the response is the same if there is not. The link works once within 30 minutes, and earlier links no longer work. At most 20 requests an hour for an IP address. An email address gets at most 5 links an hour for requests from one IP address, and 10 in all; further requests get the same response and send nothing.',
  access: 'dashboard',
  body: requestPasswordResetInput,
  response: {
    202: success(
      z.object({
        is_mailed: z
          .boolean()
          .describe(
            'Whether the service sends emails. If not, the operator can read the link in its outbox.',
          ),
      }),
    ),
  },
});

const resetToken = boundedText(200);

const checkPasswordResetInput = z.strictObject({ reset_token: resetToken });

export const checkPasswordReset = defineRoute({
  name: 'checkPasswordReset',
  method: 'POST',
  path: '/api/dashboard/password-reset/check',
  summary: 'Get the person whose password a link resets, and its deadline',
  description: 'Does not use up the link.',
  access: 'dashboard',
  body: checkPasswordResetInput,
  response: { 200: success(z.object({ email: z.string(), expires_at: timestamp })) },
});

export const finishPasswordResetInput = z.strictObject({
  reset_token: resetToken,
  new_password: newPassword,
});

export const finishPasswordReset = defineRoute({
  name: 'finishPasswordReset',
  method: 'POST',
  path: '/api/dashboard/password-reset/finish',
  summary: 'Choose a new password with a link',
  description:
    'Ends all of the person’s sessions and does not sign them in. A second factor stays. They are notified by email.',
  access: 'dashboard',
  body: finishPasswordResetInput,
  response: { 200: success(z.object({ email: z.string() })) },
});
