import 'server-only';
import { ApiError } from './api/api-error.ts';
import * as api from './api/people/session.ts';
import { clearSessionCookie } from './cookies/session-cookie.ts';

/** Ends the session, and deletes its cookie. */
export async function signOut(): Promise<void> {
  try {
    await api.signOut();
  } catch (error) {
    // The session has ended already, or the service can't be reached: delete the cookie anyway.
    if (!(error instanceof ApiError)) throw error;
  }
  await clearSessionCookie();
}
