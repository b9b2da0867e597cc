import 'server-only';
import { cookies } from 'next/headers';

/** The session token the browser sent, or null. */
export async function readSessionToken(): Promise<string | null> {
  return (await cookies()).get(cookieName())?.value ?? null;
}

/** @param maxAge how long the browser may keep it, in seconds */
export async function setSessionCookie(token: string, maxAge: number): Promise<void> {
  (await cookies()).set(cookieName(), token, { ...attributes(), maxAge });
}

export async function clearSessionCookie(): Promise<void> {
  // Written with its attributes: a browser ignores a `__Host-` cookie without them, even an empty one.
  (await cookies()).set(cookieName(), '', { ...attributes(), maxAge: 0 });
}

/** The `__Host-` prefix needs Secure, which plain http on loopback can't offer. */
function cookieName(): string {
  return isHttps() ? '__Host-session' : 'session';
}

function attributes() {
  return { httpOnly: true, secure: isHttps(), sameSite: 'lax', path: '/' } as const;
}

function isHttps(): boolean {
  return process.env['PUBLIC_URL']?.startsWith('https://') ?? false;
}
