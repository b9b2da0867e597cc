import 'server-only';
import type { NewSession } from '../api/people/session.ts';
import { setDeviceCookie } from './device-cookie.ts';
import { setSessionCookie } from './session-cookie.ts';

/** Sets the cookies of a new session and of the device. */
export async function setCookies(session: NewSession): Promise<void> {
  await setSessionCookie(session.token, session.maxAge);
  await setDeviceCookie(session.deviceToken, session.deviceMaxAge);
}
