import 'server-only';
import { maxDeviceTokenLength } from '../contract/people/sessions.ts';
import { readHostCookie, setHostCookie } from './host-cookie.ts';
import type { HostCookie } from './host-cookie.ts';

/** Strict: it is only ever needed by the sign-in form, which posts from this site. */
const deviceCookie: HostCookie = { name: 'device', sameSite: 'strict' };

/**
 * What an earlier sign-in left in this browser, or null. It signs nobody in; with it the service
 * knows the browser again, and so does not make its owner wait for what strangers try. It outlives
 * signing out.
 */
export async function readDeviceToken(): Promise<string | null> {
  const token = await readHostCookie(deviceCookie);
  // Refused by the service as input; here it is only a cookie that somebody changed.
  return token !== null && token.length <= maxDeviceTokenLength ? token : null;
}

/** @param maxAge how long the browser may keep it, in seconds */
export async function setDeviceCookie(token: string, maxAge: number): Promise<void> {
  await setHostCookie(deviceCookie, token, maxAge);
}
