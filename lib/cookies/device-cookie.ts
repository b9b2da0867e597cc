import 'server-only';
import { maxDeviceTokenLength } from '../contract/people/new-session.ts';
import { readHostCookie, setHostCookie } from './host-cookie.ts';
import type { HostCookie } from './host-cookie.ts';

/** Strict: only the sign-in form needs it, which posts from this site. */
const deviceCookie: HostCookie = { name: 'device', sameSite: 'strict' };

/**
 * The token that an earlier sign-in left in this browser, or null. It signs nobody in. It
 * identifies a known device, so that failed sign-ins by strangers do not make its owner wait. It
 * outlives signing out.
 */
export async function readDeviceToken(): Promise<string | null> {
  const token = await readHostCookie(deviceCookie);
  // The service would refuse such a value as invalid input. Here it only means that someone
  // changed the cookie.
  return token !== null && token.length <= maxDeviceTokenLength ? token : null;
}

/** @param maxAge how long the browser may keep it, in seconds */
export async function setDeviceCookie(token: string, maxAge: number): Promise<void> {
  await setHostCookie(deviceCookie, token, maxAge);
}
