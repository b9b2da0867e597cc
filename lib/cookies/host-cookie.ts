import 'server-only';
import { cookies } from 'next/headers';

/** A cookie that only this host sets and only the server reads. */
export type HostCookie = { name: string; sameSite: 'lax' | 'strict' };

export async function readHostCookie({ name }: HostCookie): Promise<string | null> {
  return (await cookies()).get(fullName(name))?.value ?? null;
}

/** @param maxAge how long the browser may keep it, in seconds */
export async function setHostCookie(
  cookie: HostCookie,
  value: string,
  maxAge: number,
): Promise<void> {
  (await cookies()).set(fullName(cookie.name), value, { ...attributes(cookie), maxAge });
}

export async function clearHostCookie(cookie: HostCookie): Promise<void> {
  // Set with its attributes: a browser ignores a `__Host-` cookie without them, even an empty one.
  (await cookies()).set(fullName(cookie.name), '', { ...attributes(cookie), maxAge: 0 });
}

/** The `__Host-` prefix needs Secure, which plain http on loopback can't offer. */
function fullName(name: string): string {
  return isHttps() ? `__Host-${name}` : name;
}

function attributes({ sameSite }: HostCookie) {
  return { httpOnly: true, secure: isHttps(), sameSite, path: '/' } as const;
}

function isHttps(): boolean {
  return process.env['PUBLIC_URL']?.startsWith('https://') ?? false;
}
