import { z } from 'zod';
import { boundedText } from '../fields/bounded-text.ts';
import { success } from '../fields/fields.ts';
import { secret } from '../fields/secret.ts';

/** The value for the device cookie and how long the browser may keep it, in seconds. */
export const newDevice = { device_token: secret(z.string()), device_max_age: z.int() };

/** The same for the session cookie. */
export const sessionCookie = { session_token: secret(z.string()), max_age: z.int() };

/** What a browser stores after a sign-in. */
export const newSession = success(z.object({ ...sessionCookie, ...newDevice }));

/** Of a device token, in characters. The service never creates longer ones. */
export const maxDeviceTokenLength = 1024;

/** Of a session token, in characters. The service never creates longer ones. */
export const maxSessionTokenLength = 1024;

/** The session that a browser already has when someone signs in there. */
export const earlierSession = {
  earlier_session: boundedText(maxSessionTokenLength)
    .optional()
    .describe(
      'The value of the session cookie that the browser has. That session ends once the new one is open. A void one is ignored.',
    ),
};
