import type { Auth, SessionCookie } from '../auth/auth.ts';

type SignIn = Parameters<Auth['findByPassword']>[0] & { ip: string; userAgent: string | null };

/** Opens a session with only a password; null if it is wrong. */
export async function signInWithPassword(
  auth: Auth,
  { ip, userAgent, ...given }: SignIn,
): Promise<SessionCookie | null> {
  const found = await auth.findByPassword(given);
  return found && (await auth.openSession({ personId: found.personId, ip, userAgent }));
}
