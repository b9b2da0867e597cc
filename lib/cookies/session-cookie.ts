import 'server-only';
import { clearHostCookie, readHostCookie, setHostCookie } from './host-cookie.ts';
import type { HostCookie } from './host-cookie.ts';

/** Lax: a link from another site then opens the page, not the sign-in page. */
const sessionCookie: HostCookie = { name: 'session', sameSite: 'lax' };

/** The session token the browser sent, or null. A value that cannot be a token is ignored. */
export async function readSessionToken(): Promise<string | null> {
  const token = await readHostCookie(sessionCookie);
  return token !== null && /^[\x21-\x7e]+$/.test(token) ? token : null;
}

/** @param maxAge how long the browser may keep it, in seconds */
export async function setSessionCookie(token: string, maxAge: number): Promise<void> {
  await setHostCookie(sessionCookie, token, maxAge);
}

export async function clearSessionCookie(): Promise<void> {
  await clearHostCookie(sessionCookie);
}
