import { z } from 'zod';
import { success } from '../fields/fields.ts';

/** The value for the device cookie and how long the browser may keep it, in seconds. */
export const newDevice = { device_token: z.string(), device_max_age: z.int() };

/** The same for the session cookie. */
export const sessionCookie = { session_token: z.string(), max_age: z.int() };

/** What a browser stores after a sign-in. */
export const newSession = success(z.object({ ...sessionCookie, ...newDevice }));

/** Of a device token, in characters. The service never creates longer ones. */
export const maxDeviceTokenLength = 1024;
