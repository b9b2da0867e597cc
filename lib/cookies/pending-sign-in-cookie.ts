import 'server-only';
import { clearHostCookie, readHostCookie, setHostCookie } from './host-cookie.ts';
import type { HostCookie } from './host-cookie.ts';
import { pendingSignInMinutes } from '../contract/people/second-factors.ts';

/** Strict: only the sign-in form needs it, which posts from this site. */
const pendingCookie: HostCookie = { name: 'pending-sign-in', sameSite: 'strict' };

/** The token that proves that the password was right; null if it was not, or too long ago. */
export async function readPendingToken(): Promise<string | null> {
  return await readHostCookie(pendingCookie);
}

/** Sets the cookie so that scripts of the page cannot read it, like that of the session. */
export async function setPendingCookie(token: string): Promise<void> {
  await setHostCookie(pendingCookie, token, pendingSignInMinutes * 60);
}

export async function clearPendingCookie(): Promise<void> {
  await clearHostCookie(pendingCookie);
}
