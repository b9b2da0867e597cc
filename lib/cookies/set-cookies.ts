import 'server-only';
import type { NewSession } from '../api/people/session.ts';
import { setDeviceCookie } from './device-cookie.ts';
import { setSessionCookie } from './session-cookie.ts';

/** Keeps a new session, and what tells the device from unknown ones, in the browser. */
export async function setCookies(session: NewSession): Promise<void> {
  await setSessionCookie(session.token, session.maxAge);
  await setDeviceCookie(session.deviceToken, session.deviceMaxAge);
}
