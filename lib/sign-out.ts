import 'server-only';
import { ApiError } from './api/api-error.ts';
import * as api from './api/people/session.ts';
import { clearSessionCookie } from './cookies/session-cookie.ts';

/**
 * Ends the session, and deletes its cookie: also if the session has ended already, or if the service
 * can't be reached. If the service refuses, the session goes on, and so does its cookie.
 *
 * @throws ApiError
 */
export async function signOut(): Promise<void> {
  try {
    await api.signOut();
  } catch (error) {
    if (!(error instanceof ApiError && (hasEnded(error) || isAway(error)))) throw error;
  }
  await clearSessionCookie();
}

function hasEnded({ code }: ApiError): boolean {
  return code === 'UNAUTHORIZED';
}

/** Whether nothing answered, or only something in between: the service names each request. */
function isAway({ code, requestId }: ApiError): boolean {
  return code === 'UNAVAILABLE' && requestId === undefined;
}
