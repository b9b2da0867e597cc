import 'server-only';
import { clearHostCookie, readHostCookie, setHostCookie } from './host-cookie.ts';
import type { HostCookie } from './host-cookie.ts';
import { pendingSignInMinutes } from '../contract/people/second-factors.ts';

/** Strict: it is only ever needed by the sign-in form, which posts from this site. */
const pendingCookie: HostCookie = { name: 'pending-sign-in', sameSite: 'strict' };

/** By which the service knows that the password was right; null if it was not given, or too long ago. */
export async function readPendingToken(): Promise<string | null> {
  return await readHostCookie(pendingCookie);
}

/** Kept out of the page's reach, as the session is. */
export async function setPendingCookie(token: string): Promise<void> {
  await setHostCookie(pendingCookie, token, pendingSignInMinutes * 60);
}

export async function clearPendingCookie(): Promise<void> {
  await clearHostCookie(pendingCookie);
}
