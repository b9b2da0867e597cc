import { z } from 'zod';
import { boundedText } from '../fields/bounded-text.ts';
import { success } from '../fields/fields.ts';
import { defineRoute } from '../route.ts';
import { email, password } from './credentials.ts';
import { earlierSession, maxDeviceTokenLength, newSession } from './new-session.ts';
import { givenFactor, pendingSignIn } from './second-factors.ts';

export const signInInput = z.strictObject({ email, password });

export const signIn = defineRoute({
  name: 'signIn',
  method: 'POST',
  path: '/api/dashboard/session',
  summary: 'Sign in',
  description:
    'Ten tries a minute for each IP address. For an email address, 30 wrong tries an hour from one IP address and 100 from all. From a device on which the person signed in before, which `device_token` identifies, only its own tries count: ten a minute.',
  access: 'dashboard',
  oneTime: true,
  body: z.strictObject({
    ...signInInput.shape,
    device_token: boundedText(maxDeviceTokenLength)
      .optional()
      .describe('The value of the device cookie. A void one is ignored.'),
    ...earlierSession,
  }),
  response: { 201: newSession, 202: success(pendingSignIn) },
});

export const finishSignIn = defineRoute({
  name: 'finishSignIn',
  method: 'POST',
  path: '/api/dashboard/session/second-factor',
  summary: 'Sign in with a second factor, after the password',
  description:
    'One of `code`, `recovery_code` and `passkey`. Five wrong ones end the sign-in. For each person, 20 wrong ones an hour are allowed.',
  access: 'dashboard',
  oneTime: true,
  body: z.strictObject({
    pending_token: boundedText(200),
    ...givenFactor,
    device_token: boundedText(maxDeviceTokenLength).optional(),
    ...earlierSession,
  }),
  response: { 201: newSession },
});
